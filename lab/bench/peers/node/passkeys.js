// SPDX-License-Identifier: Apache-2.0
// The same routes as our service, written as in SimpleWebAuthn's documentation. Challenges and sessions are in the
// database, so any process can finish a ceremony that another one started.
import { randomBytes } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';

const CHALLENGE_MILLIS = 300_000;
const SESSION_MILLIS = 43_200_000;

export default async function passkeys(app, { store, rpID, origin }) {
  app.get('/health/ready', async () => {
    await store.ping();
    return { status: 'up' };
  });

  app.post('/auth/signup', async (request) => {
    const { userId } = request.body;
    await store.addUser(userId, randomBytes(32));
    return { token: await openSession(userId) };
  });

  app.get('/auth/passkey/register/options', async (request) => {
    const user = await store.user(await signedIn(request));
    const options = await generateRegistrationOptions({
      rpName: 'Peer',
      rpID,
      userID: new Uint8Array(user.handle),
      userName: user.id,
      excludeCredentials: await store.credentials(user.id),
      supportedAlgorithmIDs: [-7],
    });
    return keepChallenge(options, user.id);
  });

  app.post('/auth/passkey/register/finish', async (request, response) => {
    const userId = await signedIn(request);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: request.body,
      expectedChallenge: (challenge) => store.takeChallenge(challenge, userId, Date.now()),
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: false,
    });
    if (!verified) {
      return response.code(400).send({ code: 'registration_failed' });
    }
    await store.addCredential(userId, registrationInfo.credential);
    return { credentialId: registrationInfo.credential.id };
  });

  app.get('/auth/passkey/login/options', async (request) => {
    const { userId } = request.query;
    const options = await generateAuthenticationOptions({
      rpID,
      allowCredentials: await store.credentials(userId),
      userVerification: 'preferred',
    });
    return keepChallenge(options, userId);
  });

  app.post('/auth/passkey/login/finish', async (request, response) => {
    const { userId } = request.query;
    const credential = await store.credential(request.body.id, userId);
    if (!credential) {
      return response.code(401).send({ code: 'authentication_failed' });
    }
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: request.body,
      expectedChallenge: (challenge) => store.takeChallenge(challenge, userId, Date.now()),
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential,
      requireUserVerification: false,
    });
    if (!verified) {
      return response.code(401).send({ code: 'authentication_failed' });
    }
    await store.advance(credential.id, authenticationInfo.newCounter);
    return { token: await openSession(userId), userId };
  });

  async function keepChallenge(options, userId) {
    await store.addChallenge(options.challenge, userId, Date.now() + CHALLENGE_MILLIS);
    return options;
  }

  async function openSession(userId) {
    const id = randomBytes(32).toString('base64url');
    await store.addSession(id, userId, Date.now() + SESSION_MILLIS);
    return id;
  }

  async function signedIn(request) {
    const token = request.headers.authorization?.replace(/^Bearer /, '');
    const userId = token && (await store.sessionUser(token, Date.now()));
    if (!userId) {
      throw Object.assign(new Error('not signed in'), { statusCode: 401 });
    }
    return userId;
  }
}
