// SPDX-License-Identifier: Apache-2.0
// The types that the package ships for both elements. Compiled with the application, and never run.
import type { PorchlightAccount } from '@porchlight/client/account-element';
import type { PorchlightSignIn } from '@porchlight/client/signin-element';
import '@porchlight/client/react';
import { useRef } from 'react';

export function Elements() {
  const signIn = useRef<PorchlightSignIn>(null);
  const account = useRef<PorchlightAccount>(null);
  return (
    <>
      <porchlight-signin
        ref={signIn}
        lang="fr"
        signup
        autofill
        view="sign-up"
        href="/"
        messages={{ signIn: 'Enter' }}
        onporchlight-signed-in={({ detail }) => detail.userId.toUpperCase() + detail.signedUp}
        onporchlight-view={({ detail }) => detail.view === 'enroll'}
      />
      <porchlight-account
        ref={account}
        className="account"
        sessions
        applications
        heading={1}
        token="token"
        onporchlight-signed-out={event => event.detail.reason === 'ended' && event.preventDefault()}
        onporchlight-error={({ detail }) => detail.supportCode?.length}
      />
      {/* @ts-expect-error: not a view */}
      <porchlight-signin view="nowhere" />
      {/* @ts-expect-error: not an attribute of this element */}
      <porchlight-account signup />
      {/* @ts-expect-error: the event has no such detail */}
      <porchlight-account onporchlight-passkey-added={({ detail }) => detail.userId} />
    </>
  );
}

/** Without React, the elements are known by their names. */
export const views = [...document.querySelectorAll('porchlight-signin')].map(({ view }) => view);
