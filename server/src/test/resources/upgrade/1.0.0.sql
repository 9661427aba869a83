CREATE TABLE passkey_challenge (
  user_id    TEXT NOT NULL,
  challenge  TEXT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, challenge)
);
CREATE TABLE passkey_credential (
  credential_id         TEXT NOT NULL PRIMARY KEY,
  user_id               TEXT NOT NULL,
  public_key            TEXT NOT NULL,
  sign_count            BIGINT NOT NULL DEFAULT 0,
  origin                TEXT NOT NULL,
  user_handle           TEXT,
  transports            TEXT,
  backup_eligible       INTEGER,
  backed_up             INTEGER,
  user_verified         INTEGER,
  verification_required INTEGER,
  discoverable          INTEGER,
  aaguid                TEXT,
  attestation_format    TEXT,
  attestation_trust     TEXT,
  name                  TEXT,
  created_at            BIGINT,
  last_used_at          BIGINT
);
CREATE TABLE passkey_decoy (
  name   TEXT NOT NULL PRIMARY KEY,
  shapes TEXT NOT NULL
);
CREATE TABLE passkey_schema (
  part    TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  oldest  INTEGER NOT NULL
);
CREATE TABLE passkey_seal (
  credential_id TEXT NOT NULL PRIMARY KEY,
  seal          TEXT NOT NULL
);
CREATE TABLE passkey_secret (
  name   TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);
CREATE TABLE passkey_used_challenge (
  expires_at   BIGINT NOT NULL,
  challenge_id TEXT NOT NULL,
  PRIMARY KEY (expires_at, challenge_id)
);
CREATE TABLE passkey_user (
  user_id      TEXT NOT NULL PRIMARY KEY,
  user_handle  TEXT UNIQUE,
  name         TEXT,
  display_name TEXT
);
CREATE TABLE porchlight_audit (
  chain          TEXT NOT NULL,
  seq            BIGINT NOT NULL,
  at             BIGINT NOT NULL,
  action         TEXT NOT NULL,
  subject        TEXT NOT NULL,
  outcome        TEXT NOT NULL,
  reason         TEXT NOT NULL,
  operator       TEXT NOT NULL DEFAULT '',
  client_id      TEXT NOT NULL DEFAULT '',
  group_name     TEXT NOT NULL DEFAULT '',
  changed        TEXT NOT NULL DEFAULT '',
  refusals       BIGINT NOT NULL DEFAULT 0,
  correlation_id TEXT NOT NULL,
  follows        TEXT NOT NULL DEFAULT '',
  hash           TEXT NOT NULL,
  PRIMARY KEY (chain, seq)
);
CREATE TABLE porchlight_audit_anchor (
  name   TEXT NOT NULL PRIMARY KEY,
  anchor TEXT NOT NULL
);
CREATE TABLE porchlight_audit_checkpoint (
  chain    TEXT NOT NULL,
  from_seq BIGINT NOT NULL,
  to_seq   BIGINT NOT NULL,
  hash     TEXT NOT NULL,
  seal     TEXT NOT NULL,
  PRIMARY KEY (chain, from_seq)
);
CREATE TABLE porchlight_audit_head (
  chain TEXT NOT NULL PRIMARY KEY,
  seq   BIGINT NOT NULL,
  hash  TEXT NOT NULL,
  seal  TEXT NOT NULL
);
CREATE TABLE porchlight_audit_subject (
  subject TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL
);
CREATE TABLE porchlight_challenge_epoch (
  epoch BIGINT NOT NULL PRIMARY KEY
);
CREATE TABLE porchlight_client (
  client_id   TEXT NOT NULL PRIMARY KEY,
  name        TEXT NOT NULL,
  secret_hash TEXT,
  settings    TEXT NOT NULL,
  created_at  BIGINT NOT NULL
);
CREATE TABLE porchlight_erased_user (
  name_hash TEXT NOT NULL PRIMARY KEY,
  erased_at BIGINT NOT NULL
);
CREATE TABLE porchlight_failed_ceremony (
  ceremony_id      TEXT NOT NULL PRIMARY KEY,
  kind             TEXT NOT NULL,
  trace_hash       TEXT NOT NULL,
  code_hash        TEXT NOT NULL,
  correlation_hash TEXT NOT NULL,
  client_hash      TEXT NOT NULL,
  owner            TEXT NOT NULL,
  address          TEXT NOT NULL,
  sealed           TEXT NOT NULL,
  created_at       BIGINT NOT NULL,
  expires_at       BIGINT NOT NULL
);
CREATE TABLE porchlight_group_member (
  group_name TEXT NOT NULL,
  user_id    TEXT NOT NULL,
  PRIMARY KEY (group_name, user_id)
);
CREATE TABLE porchlight_lock (
  name TEXT NOT NULL PRIMARY KEY
);
CREATE TABLE porchlight_name (
  name    TEXT NOT NULL PRIMARY KEY,
  user_id TEXT NOT NULL
);
CREATE TABLE porchlight_openid_authorization (
  authorization_id TEXT NOT NULL PRIMARY KEY,
  client_id        TEXT NOT NULL,
  session          TEXT NOT NULL,
  owner            TEXT NOT NULL,
  sealed           TEXT NOT NULL,
  step             INTEGER NOT NULL,
  expires_at       BIGINT NOT NULL
);
CREATE TABLE porchlight_openid_consent (
  user_id   TEXT NOT NULL,
  client_id TEXT NOT NULL,
  scopes    TEXT NOT NULL,
  agreed_at BIGINT NOT NULL,
  PRIMARY KEY (user_id, client_id)
);
CREATE TABLE porchlight_openid_used (
  token_hash TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
);
CREATE TABLE porchlight_passkey_source (
  credential_id TEXT NOT NULL PRIMARY KEY,
  user_agent    TEXT NOT NULL
);
CREATE TABLE porchlight_probe (
  probe_id INTEGER NOT NULL PRIMARY KEY,
  writes   BIGINT NOT NULL
);
CREATE TABLE porchlight_sealed_entry (
  kind       TEXT NOT NULL,
  entry_key  TEXT NOT NULL,
  owner      TEXT NOT NULL,
  sealed     TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (kind, entry_key)
);
CREATE TABLE porchlight_signing_key (
  kid        TEXT NOT NULL PRIMARY KEY,
  created_at BIGINT NOT NULL,
  sealed     TEXT NOT NULL
);
CREATE TABLE porchlight_stable_key (
  purpose TEXT NOT NULL PRIMARY KEY,
  sealed  TEXT NOT NULL
);
CREATE TABLE porchlight_user_access (
  user_id    TEXT NOT NULL PRIMARY KEY,
  locked_at  BIGINT,
  generation BIGINT NOT NULL
);
CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at);
CREATE INDEX passkey_credential_by_user ON passkey_credential (user_id);
CREATE INDEX porchlight_audit_by_client ON porchlight_audit (client_id, at)
  WHERE action = 'client_authorize' AND outcome = 'ok';
CREATE INDEX porchlight_audit_by_correlation ON porchlight_audit (correlation_id);
CREATE INDEX porchlight_audit_by_subject ON porchlight_audit (subject, at);
CREATE INDEX porchlight_audit_by_time ON porchlight_audit (at);
CREATE INDEX porchlight_audit_subject_by_user ON porchlight_audit_subject (user_id);
CREATE INDEX porchlight_group_member_by_user ON porchlight_group_member (user_id);
CREATE INDEX porchlight_openid_authorization_by_client ON porchlight_openid_authorization (client_id);
CREATE INDEX porchlight_openid_authorization_by_expiry ON porchlight_openid_authorization (expires_at);
CREATE INDEX porchlight_openid_authorization_by_owner ON porchlight_openid_authorization (owner);
CREATE INDEX porchlight_openid_authorization_by_session ON porchlight_openid_authorization (session);
CREATE INDEX porchlight_openid_used_by_expiry ON porchlight_openid_used (expires_at);
CREATE INDEX porchlight_sealed_entry_by_expiry ON porchlight_sealed_entry (expires_at);
CREATE INDEX porchlight_sealed_entry_by_owner ON porchlight_sealed_entry (kind, owner, created_at);
INSERT INTO passkey_credential VALUES ('1jYsmIEyt1s46ZXCBY8XpQVN9zXA_MJOHoNK7mCNfL4', 'ada', '{"kty":"EC","crv":"P-256","x":"5qHGBHYoj9t_ds0EgiOiAvUR1RglaX_fYONFqR9qLgs","y":"JdYzNR_ws6BSlXMPs1uULv2uPjKJvyR8oJFVNbj6Nr8"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794979434408, 1794979434498);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794979734383, 'mzxf-EOZTrTUS9VF-3iUMw');
INSERT INTO passkey_used_challenge VALUES (1794979734489, 'UEEcfwOzF2xk2hLwT-nvRA');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('4e30a572-de26-496f-825c-29403c4d155b', 0, 1794979434443, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'ebW2dCWmVTw9cOHQXf6yu_KdwTA04ICupQBT7Z0hH1w');
INSERT INTO porchlight_audit VALUES ('4e30a572-de26-496f-825c-29403c4d155b', 1, 1794979434443, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, '630e7d2073e7e4f34ac0d9188a4626b5', '', 'WDd-0dUeG2tJi_BwATLznrV-iLrcn9hDRBCMiY7Gk2Y');
INSERT INTO porchlight_audit VALUES ('4e30a572-de26-496f-825c-29403c4d155b', 2, 1794979434507, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, 'e8f7ec60385329e75a9a739544c2d254', '', 'HVRUB1ribgnpPycHfN3lX9DHqzsZPZeqJXWu8naioc8');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('4e30a572-de26-496f-825c-29403c4d155b', 2, 'HVRUB1ribgnpPycHfN3lX9DHqzsZPZeqJXWu8naioc8', 'vD9kCzlo0GyyO9UlJXWbIBjPe0M0M7DuV3oO67oNdvs');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('1jYsmIEyt1s46ZXCBY8XpQVN9zXA_MJOHoNK7mCNfL4', 'Java-http-client/17.0.15');
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'BLJgbajtgEA-HP3CerqQluNwdy4wUOuFJzUpg3l5bXU', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'n8cw2oaFi6MkaRnXJ9fpprWXQa6yG68DCSZmNMzeUXrxapWxKI-i_liYzpNpdzsfnIzgAoMuQ0o1V4-zZi-kMycT7Xo-MsU1TpbuFOCWm_BJIyGIVEJtBsAKo8TET_g-dVCS1wbXo83b8YGWODu-9w6Xd_YcgYrwtBwrLuGxZMRwkb2rrhVbkWKInRpPhjV3EAofC4wF9TkgwlFZCSNm-o1JeUb_vCXqV9ly13HEFZoGKbGGDUR5bKCiXM_7bJrqpO_wzAnb2l7HcC2IlFRc2xDel1FqmCQp-EpK6o293B7wCPgG99dqFmd5pp-9a-PKjw0di4RdaytHqAEhbLoS6cI', 1794979434000, 1795022634428);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'zcgRMSV3XO4mgWvfxi5enJUJyWHT4KpVKj0ro5Ho7YY', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'ji9tfW9PzViN8J1NoHpNsh-hfkpEKjjHCcjNVe2Uc3VcQn3AY0cwUmxkqUve4-Hb4nnfdBzPdjlBkWA5FO0h2fyafBO6s4qMDOW_NIQHUJyGkKJH6349vSyw495U-e37N498KcAgL3TVEMDxx9FwOknS088pBY0crCu4eeX1rdZrfSDS7aryO6s35vBxE-Zrz4OuCIMJjWEeCx8jQwRjs-VdJVld3XDB5k2OfCQAPjHjDt-vkFnhhv_PC-RQRIb4COcsHUTRcxRGXpeZARu05QcQSq4kJlUJLzdDY8sE3Ob08pNdNUrNPPQz05qGxdBXymnNvjf-zZgfbc-mHQznQPo', 1794979434498, 1795022634505);
INSERT INTO porchlight_signing_key VALUES ('b52668dd-27e1-487e-a880-f78369eb366d', 1794979434172, 's-RtfPlTLKp7JxtxOHwyYF7-e0Rhixnw5F4LLsxjwTGbe5XZlJNM8xGUB3AqU8RkhNCi5UavcFDSpaVkhJqtUiefqP0D5M9NJhHvZkjxB-TlPCpTZP1coCrLaETel9Kfbvn9V6AhghZc7CZvPX9SvwklEEdz4M6OVxq4Zl75JpljkHvqS4d0R0RDpfzZJrQb2kweLLGgpypgnXiUgW4CkNP8IIXwfEtWgpsNn6XDTlZJlVz1FhVlCMv0C-fRhIWX6_QGFX758SwT4vSNc8x2KBAjs4Bm-pTjjicP-_Rx2LkVAFuVqlMmQcmrA6XJ54EQGEIof2uoZIgLTiFtzfu52mg8ywYtaw0-pwhW9EFVutdA3Zs');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'KE8SZGMRNCU36tvsSs5Lb4f2irVcds6cu5N7T7ofBWpWpp0lPj_u_HCgfcI5GO8VPd5nSXhKZtV6ixTMjuj3INxyDcnTCzro');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'nCdleuw83zy5EyIM2scDaOOl_4wx3IgD0JyUcezOCHNsPyCp5XdYzT0LkVXWaTvk_taHSX3OQU4SW4rl8-0CXcRpSb42-RjN');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'fHXN4V7FzyM90uWaje_njsh8fhd68xCoEqLsTeKRY_ZrEOpvorrlOonNfyQBs1GT58fp5UzbeBT6Sqow9gcXOrUZ0CPj5eLk');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'VhuS92L7Agiqzl2zXPtPlT3JFk27RzlWPz1OS8-a0-wuqjNa1co6NmYNDEgksb2XULJQhIRCmhOqd9CDLKzGQT7JeAMOwpR_');
INSERT INTO porchlight_stable_key VALUES ('operator labels', '0CVsb_zS7oBucKLUfxFVbL4I2CpDmZSrlVgyWmaGAtcfXrySFR7WZ3pQlJQWFJwvo4rmd9KtNESyH6F2FDnLqyzGHE4ZVNhw');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', '2BOaijuFU3nG4JWBeCQFCr0GQ84VFCIFIRLfo1AdoqoV3I1HdEkb9aR_n5i5xQ_tApLLFWaRedWHtCjr8aNuxIJOO5Xjb0Vi');
INSERT INTO porchlight_stable_key VALUES ('refusal index', '8qSi-d9BBgxerKXmacxhTd0XULFS_o2gshW3BQB7x5bYUBsYx7lHzXdiCcuLzHXM2C356xboA7MJK0U-gyB4Ck7F1mjzmEOl');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'HrIBFnjajyUtsnuCP8LxJlwaHGqz7IEbwzyMbwB45l4YaTsn49P6Oluoi4reTeMJ9C3SfVyL99sMx5HEC1HQudCq3PQDnIC4');
