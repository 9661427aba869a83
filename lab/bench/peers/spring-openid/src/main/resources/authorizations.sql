-- Spring Authorization Server's tables of authorizations and clients, with text where its file has blob, as its documentation
-- says for PostgreSQL.
CREATE TABLE oauth2_authorization (
  id varchar(100) NOT NULL PRIMARY KEY,
  registered_client_id varchar(100) NOT NULL,
  principal_name varchar(200) NOT NULL,
  authorization_grant_type varchar(100) NOT NULL,
  authorized_scopes varchar(1000) DEFAULT NULL,
  attributes text DEFAULT NULL,
  state varchar(500) DEFAULT NULL,
  authorization_code_value text DEFAULT NULL,
  authorization_code_issued_at timestamp DEFAULT NULL,
  authorization_code_expires_at timestamp DEFAULT NULL,
  authorization_code_metadata text DEFAULT NULL,
  access_token_value text DEFAULT NULL,
  access_token_issued_at timestamp DEFAULT NULL,
  access_token_expires_at timestamp DEFAULT NULL,
  access_token_metadata text DEFAULT NULL,
  access_token_type varchar(100) DEFAULT NULL,
  access_token_scopes varchar(1000) DEFAULT NULL,
  oidc_id_token_value text DEFAULT NULL,
  oidc_id_token_issued_at timestamp DEFAULT NULL,
  oidc_id_token_expires_at timestamp DEFAULT NULL,
  oidc_id_token_metadata text DEFAULT NULL,
  refresh_token_value text DEFAULT NULL,
  refresh_token_issued_at timestamp DEFAULT NULL,
  refresh_token_expires_at timestamp DEFAULT NULL,
  refresh_token_metadata text DEFAULT NULL,
  user_code_value text DEFAULT NULL,
  user_code_issued_at timestamp DEFAULT NULL,
  user_code_expires_at timestamp DEFAULT NULL,
  user_code_metadata text DEFAULT NULL,
  device_code_value text DEFAULT NULL,
  device_code_issued_at timestamp DEFAULT NULL,
  device_code_expires_at timestamp DEFAULT NULL,
  device_code_metadata text DEFAULT NULL
);
-- Its file has no indexes. Without these it reads the whole table for each token, so the peer gets them.
CREATE INDEX authorization_code_index ON oauth2_authorization (authorization_code_value);
CREATE INDEX access_token_index ON oauth2_authorization (access_token_value);
CREATE INDEX oidc_id_token_index ON oauth2_authorization (oidc_id_token_value);
CREATE INDEX refresh_token_index ON oauth2_authorization (refresh_token_value);
