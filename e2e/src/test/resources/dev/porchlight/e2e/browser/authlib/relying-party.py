# SPDX-License-Identifier: Apache-2.0
# An application that signs users in with Authlib's integration for Flask, by its defaults. Arguments: issuer, port, client id, client secret.
import os
import sys

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for

issuer, port, client_id, client_secret = sys.argv[1:]
app = Flask(__name__)
app.secret_key = os.urandom(32)
provider = OAuth(app).register(
    'porchlight',
    client_id=client_id,
    client_secret=client_secret,
    server_metadata_url=issuer + '/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid profile'},
)


@app.get('/')
def home():
    if 'user' not in session:
        return provider.authorize_redirect(url_for('callback', _external=True))
    return 'user ' + session['user']['preferred_username']


@app.get('/callback')
def callback():
    session['user'] = provider.authorize_access_token()['userinfo']
    return redirect('/')


@app.get('/favicon.ico')
def icon():
    return '', 204


app.run(host='127.0.0.1', port=int(port))
