// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/duo-labs/webauthn/protocol"

// The JSON of options, with binary values in base64url, which browsers parse. The library's own types use padded base64.

type descriptor struct {
	ID   string                  `json:"id"`
	Type protocol.CredentialType `json:"type"`
}

func descriptorsOf(credentials []protocol.CredentialDescriptor) []descriptor {
	descriptors := make([]descriptor, len(credentials))
	for i, credential := range credentials {
		descriptors[i] = descriptor{base64url(credential.CredentialID), credential.Type}
	}
	return descriptors
}

type requestOptions struct {
	Challenge        string                               `json:"challenge"`
	Timeout          int                                  `json:"timeout"`
	RPID             string                               `json:"rpId"`
	AllowCredentials []descriptor                         `json:"allowCredentials"`
	UserVerification protocol.UserVerificationRequirement `json:"userVerification"`
}

func requestOptionsOf(options protocol.PublicKeyCredentialRequestOptions) requestOptions {
	return requestOptions{
		options.Challenge.String(),
		options.Timeout,
		options.RelyingPartyID,
		descriptorsOf(options.AllowedCredentials),
		options.UserVerification,
	}
}

type userEntity struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DisplayName string `json:"displayName"`
}

type creationOptions struct {
	Challenge          string                          `json:"challenge"`
	Timeout            int                             `json:"timeout"`
	RP                 protocol.RelyingPartyEntity     `json:"rp"`
	User               userEntity                      `json:"user"`
	Parameters         []protocol.CredentialParameter  `json:"pubKeyCredParams"`
	ExcludeCredentials []descriptor                    `json:"excludeCredentials"`
	Selection          protocol.AuthenticatorSelection `json:"authenticatorSelection"`
	Attestation        protocol.ConveyancePreference   `json:"attestation"`
}

func creationOptionsOf(options protocol.PublicKeyCredentialCreationOptions) creationOptions {
	return creationOptions{
		options.Challenge.String(),
		options.Timeout,
		options.RelyingParty,
		userEntity{base64url(options.User.ID), options.User.Name, options.User.DisplayName},
		options.Parameters,
		descriptorsOf(options.CredentialExcludeList),
		options.AuthenticatorSelection,
		protocol.PreferNoAttestation,
	}
}
