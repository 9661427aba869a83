// SPDX-License-Identifier: Apache-2.0
const json = async (path, body) => {
  const request = body && {
    method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body),
  };
  const response = await fetch(path, request || {});
  if (!response.ok || response.redirected) {
    throw new Error(response.redirected ? 'Sign in first.' : (await response.json()).error);
  }
  return response.json();
};

async function register() {
  const options = await json('/auth/passkey/register/options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await navigator.credentials.create({publicKey});
  await json('/auth/passkey/register/finish', credential.toJSON());
  return 'You have a passkey: sign out and use it';
}

async function signIn() {
  const options = await json('/auth/passkey/login/options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({publicKey});
  const {userId} = await json('/auth/passkey/login/finish', credential.toJSON());
  return `Hello ${userId}`;
}

for (const [id, ceremony] of Object.entries({register, signin: signIn})) {
  document.getElementById(id).addEventListener('click', () => ceremony().then(
      (text) => document.getElementById('outcome').textContent = text,
      (error) => document.getElementById('outcome').textContent = error.message));
}
