// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import { session, signOut } from '@porchlight/client/account';
import '@porchlight/client/react';
import { Passkeys } from './passkeys';

export function App() {
  const [userId, setUserId] = useState<string | null>();
  const [message, setMessage] = useState('');

  useEffect(() => {
    session().then(
      current => setUserId(current?.userId ?? null),
      error => setMessage(error.message),
    );
  }, []);

  async function leave() {
    await signOut();
    setUserId(null);
    setMessage('You’re signed out.');
  }

  return (
    <main>
      <h1>React with passkeys</h1>
      {userId === null && (
        <porchlight-signin
          signup
          autofill
          onporchlight-signed-in={({ detail }) => {
            setUserId(detail.userId);
            setMessage(detail.signedUp ? `Welcome, ${detail.userId}.` : `Welcome back, ${detail.userId}.`);
          }}
        />
      )}
      <p role="status">{message}</p>
      {userId && (
        <>
          <p>
            Signed in as {userId} <button onClick={leave}>Sign out</button>
          </p>
          <Passkeys onSignedOut={() => setUserId(null)} />
        </>
      )}
    </main>
  );
}
