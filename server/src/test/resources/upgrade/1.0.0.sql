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
CREATE TABLE porchlight_refusal (
  refusal_id       TEXT NOT NULL PRIMARY KEY,
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
INSERT INTO passkey_credential VALUES ('r1jsb7ZgpVgXuduuD6OcUY8eZig_kMWmSenosN-NnJ0', 'ada', '{"kty":"EC","crv":"P-256","x":"Dhv0n8fMGXo9MD-PfqczoUW8SYZI5ZF8pr0r_g-WVqc","y":"etrROsbFhbTzRyiAhrT_MU5KU9Dv8gfD8cO8olXd-4A"}', 2, 'http://localhost', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', 'usb', 0, 0, 1, 0, 1, '706f7263-686c-6967-6874-2d746573746b', 'none', 'not_attested', NULL, 1794970024260, 1794970024363);
INSERT INTO passkey_schema VALUES ('passkey', 1, 1);
INSERT INTO passkey_schema VALUES ('server', 1, 1);
INSERT INTO passkey_used_challenge VALUES (1794970324229, 'OjLQgA_V3RN72YG7yknssw');
INSERT INTO passkey_used_challenge VALUES (1794970324346, 'JZoqTc24Rh_kfW5Ov3voMQ');
INSERT INTO passkey_user VALUES ('ada', '3oOffeRmUTgE1ZFGNyrqkXxWRseMIQCfppYEl2YTAQw', NULL, NULL);
INSERT INTO porchlight_audit VALUES ('ce0dc361-70aa-4775-bd19-6460b44530e8', 0, 1794970024298, 'audit_started', '', 'ok', '', '', '', '', '', 0, '', '', 'dgOuGH0_4Z23GVyWasvjHjf29VREw63Qi5AOB-uwCJ4');
INSERT INTO porchlight_audit VALUES ('ce0dc361-70aa-4775-bd19-6460b44530e8', 1, 1794970024298, 'registration', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', 'signed_in', '', '', '', '', 0, 'a51ef70b44ef638a476c53d57020dd89', '', 'Otf_QQCu4-yip5uT4EPOa9MhGE0ES7pnnEqk6UCtNpU');
INSERT INTO porchlight_audit VALUES ('ce0dc361-70aa-4775-bd19-6460b44530e8', 2, 1794970024374, 'login', '8DIkiZPWXgaI2sjTaD0V2x', 'ok', '', '', '', '', '', 0, '23697060cba3153f5b9b457afe3b2f30', '', 'FH46SpqkNF4LZPNt7ndhjHybKhTce4A3Wt-V_AGROVk');
INSERT INTO porchlight_audit_head VALUES ('', 1, '', 'PTLwGF5DpiWsey2kpcd-gyvYZTD28xoWis-VmoZ6vEk');
INSERT INTO porchlight_audit_head VALUES ('ce0dc361-70aa-4775-bd19-6460b44530e8', 2, 'FH46SpqkNF4LZPNt7ndhjHybKhTce4A3Wt-V_AGROVk', 'EcT5l_0qDklZiWyovsUCy7kkazcnatrxMl3j_3ukRyo');
INSERT INTO porchlight_audit_subject VALUES ('8DIkiZPWXgaI2sjTaD0V2x', 'ada');
INSERT INTO porchlight_name VALUES ('ada', 'ada');
INSERT INTO porchlight_passkey_source VALUES ('r1jsb7ZgpVgXuduuD6OcUY8eZig_kMWmSenosN-NnJ0', 'Java-http-client/17.0.15');
INSERT INTO porchlight_probe VALUES (1, 1);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'MvNDomvL9gHaP3UHphWsJ_GQ17m8wEJzuxWfgGSUohQ', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'N25YwT8s6BEddJ_PIE2wE7o13WqqKZSIXMOCzAv_6yg8lBLxgq2qUy-8wVzy9CM6L7-5f4fxQW7jb83R47hc_HvRlEwD8vwrjP4znlPULPWAUzbDMwu6tJhDr7Vw0FmZ38-LigdIVT6rBRIjlMVE0wJv8ykusbtquelQIqUaPRX3ADCvOFL_viKuBlZfYt3lfDrEAseFoKxxoDLP-yFuVbbCNGjkUgKtOzFmBizdUgg2haPvgthhtZSBBrc4szOAv23mwoonV8AZ0Db1n0zP6TV4XfU3UZ-yJb4_YrfJv76jQoGcu4WFMH0OBaVjVGioR3SPzSkGmyMa-SHkwuoIWv-f3oHAvT4', 1794970024363, 1795013224371);
INSERT INTO porchlight_sealed_entry VALUES ('session', 'XVWlzPaapjLqK3Btjn44dY8BmbGyDOA7wF6-CSL4psI', 'uBNLOTpHkcVWreMgm9nKxbrcKxEAJtXoVjG8utOF2YY', 'ns2V3wYwAEe0xzsuKaZWJLzAN4ac8dnsnI2-eCy3UDWfd3AzYAi4S4U7L8FynkleRJ8goxjTwBeXmrHTKKVY0oAMO1h5ZBewlIlBHCcQu7wGuNkpy1GBHRTxae6SFsj1Zbex2Hll8dzjSN6AXasgX5c7EaIpT4ykMcjFHVmoi9AO7TTUfYIYOyvznk69sJ6j9LZLPGvonmX6NkoN1S-nm8EtcTy6br2dsXQ4-OrJMR-eD1Vorfvt-dIo5yUB7z8lugRuQKU5_HWHpxrexCNqlbqeYTKuWypUKLRTTYgTI92pn9qETJzL5QJ201q4BHlPR6T5FQpIR-0_WH_ecFzmfOc96Wl1AXo', 1794970024000, 1795013224284);
INSERT INTO porchlight_signing_key VALUES ('f022078a-6be1-4541-a857-2b1f5a5cf84e', 1794970024021, 'EQHD6_X17JXIerleUaMvsI2hoe7jDGkqxWiVFBVwxbglBHHnIZdCFY2qG9G48gQyXsEVZp-4oWF_Vpo-z6cmJjGBKh_k_ziDThPMGmblET8nkre8UtH1zdnIhC3MHFQRSnQX0HfOyjM2hB9Gnf-6vQCeBXAUHJvHt4x17q_FVswTtGkuBLfn-gsaK3TPUHmiGwlCe_xqxxY_4Xk-iCVL-ITQvlkThW7eFtkgFaPYI9nyYj9EpraPmmoIgHcMuF1L03FSsPVa8N4_UVbxnsCQKY0emPu9SZOWJRxODOQkCX5ijDOgMq_qtCbj4ifCPdT_ubS4wXni1hdsmGrPKWD8wjqBscS9vFYUX6jZ0SQqNOMRZbo');
INSERT INTO porchlight_stable_key VALUES ('audit chain', 'p_s2bOIZo0hF5PPi1HYZ1RwCtsOETG0xX4fbmdtSt2WGmY9sLvK2W6L1wQcCOx2m3ZHKZfnrwm9OcEBZxukmLCFEv2AflRY5');
INSERT INTO porchlight_stable_key VALUES ('decoy credentials', 'LGN4040ZYZ_U2rf4O79rXmEzmNM25IXCHlgy5m38Kj9Svy-HnaBwWgCKn4E6qCIss2tB2nU5L8Gz9Uqoh1DDB2Gu8VOvLbUF');
INSERT INTO porchlight_stable_key VALUES ('erased names', 'Mpigtf1d_Fgjfit1e2cMeUDTpXl2FhenXpqqk8Fa5uR26CMlJkoCiBxrmk1x8IsnYsVIDS9PrVz5qkWPNBUVo-pVPTDmseLg');
INSERT INTO porchlight_stable_key VALUES ('log pseudonyms', 'loTAsfnkIq4Zof7gIGqI3fMcbEVGji-58bYkOW87_ZXELmERadcOHp89eD9WBhImMnDO19IkgoYafdnbabYO4KJQxvvBx0wP');
INSERT INTO porchlight_stable_key VALUES ('operator labels', 'CMOWQmJAuG3G_JaZTB1bd-OR69oWVwCoxcGxb3OTElpWEJ0BZVrYXu2rD1xg5bSn4ziszasdWDMZ8l26bwMEbqSnUKUUHqkj');
INSERT INTO porchlight_stable_key VALUES ('refusal contents', 'ahseV1QcSLR8WlNq4lWq00G-Cg6WXsMC11zz0-L1aTHUXpc-vIMHttYZZYhkdVKywllVUuJ1q2Hy4qErpynHHtascH2_55OL');
INSERT INTO porchlight_stable_key VALUES ('refusal index', 'miPNYRcOsbsK4P1I0nnJ7cdKo3Lzb8y6o-y4G6LOeMW90T7VgWUPyAafdpimlagw4M_OrXQgQdrJfg1dB4X3qLZq5hO5p93-');
INSERT INTO porchlight_stable_key VALUES ('user handles', 'LFk-6MVcrLZ1fCa0_Q-qMejzM2GOaMYyZBLxMFeIYUK6cb_ZzAsmurxCpYqFCjW7KK0Vyvdu0IafhiVWNCc_NAwguzBzdQIR');
