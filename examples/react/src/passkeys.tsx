// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import { PasskeyError, addPasskey } from '@porchlight/client';
import { passkeys, remove, rename, session, type Passkey } from '@porchlight/client/account';

/** The user's passkeys. Adding and removing ask for a passkey first if the sign-in is too old. */
export function Passkeys({ onSignedOut }: { onSignedOut: () => void }) {
  const [list, setList] = useState<Passkey[]>([]);
  const [message, setMessage] = useState('');

  /** Runs a task and shows its result or its error. */
  async function run(task: () => Promise<string>) {
    try {
      setMessage(await task());
    } catch (error) {
      if (!(error instanceof PasskeyError)) throw error;
      if (error.problem === 'unauthenticated') onSignedOut();
      else setMessage(error.code === 'aborted' ? '' : error.message);
    }
  }

  useEffect(() => {
    run(async () => {
      setList(await passkeys());
      return '';
    });
  }, []);

  const add = () =>
    run(async () => {
      await addPasskey({ name: `Passkey ${list.length + 1}` });
      setList(await passkeys());
      return 'Your new passkey is ready.';
    });

  const change = (passkey: Passkey) =>
    run(async () => {
      const name = prompt('Name of this passkey', passkey.name)?.trim();
      if (!name) return '';
      setList(await rename(passkey.credentialId, name));
      return `Renamed to ${name}.`;
    });

  const drop = (passkey: Passkey) =>
    run(async () => {
      if (!confirm(`Remove ${titleOf(passkey)}?`)) return '';
      const removed = await remove(passkey.credentialId);
      setList(removed.passkeys);
      if (!(await session())) onSignedOut(); // the user had signed in with it
      return `${titleOf(passkey)} was removed.`;
    });

  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Your passkeys</h2>
      <ul>
        {list.map(passkey => (
          <li key={passkey.credentialId}>
            {titleOf(passkey)} <button onClick={() => change(passkey)}>Rename</button>{' '}
            <button onClick={() => drop(passkey)}>Remove</button>
          </li>
        ))}
      </ul>
      <button onClick={add}>Add a passkey</button>
      <p role="status">{message}</p>
    </section>
  );
}

const titleOf = ({ name }: Passkey) => name ?? 'Passkey';
