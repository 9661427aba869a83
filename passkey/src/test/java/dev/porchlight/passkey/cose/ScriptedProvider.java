// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.util.List;
import java.util.Map;

/**
 * A security provider that verifies like the JDK unless the test overrides the result, and counts the calls. Like Amazon's, it
 * has no factory for keys of Ed25519.
 */
public final class ScriptedProvider extends Provider {
    private static final long serialVersionUID = 1L;
    private static final Provider JDK = Security.getProvider("SunEC");

    /** Returns the result to report, given the correct one. */
    public interface Script {
        boolean result(boolean correct) throws SignatureException;
    }

    transient Script script;
    public int calls;
    boolean refusesKeys;

    public ScriptedProvider(Script script) {
        super("Scripted", "1", "returns what the test wants");
        this.script = script;
        putService(new Service(this, "KeyFactory", "EC", "the JDK's", List.of(), Map.of()) {
            @Override
            public Object newInstance(Object parameter) throws NoSuchAlgorithmException {
                return JDK.getService("KeyFactory", "EC").newInstance(parameter);
            }
        });
        for (String algorithm : List.of("SHA256withECDSA", "Ed25519")) {
            putService(new Service(this, "Signature", algorithm, "scripted", List.of(), Map.of()) {
                @Override
                public Object newInstance(Object parameter) {
                    return new Spi(algorithm);
                }
            });
        }
    }

    private final class Spi extends SignatureSpi {
        private final Signature jdk;

        Spi(String algorithm) {
            try {
                jdk = Signature.getInstance(algorithm, JDK);
            } catch (GeneralSecurityException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            if (refusesKeys) {
                throw new InvalidKeyException("a key of another provider");
            }
            jdk.initVerify(key);
        }

        @Override
        protected void engineUpdate(byte[] data, int offset, int length) throws SignatureException {
            jdk.update(data, offset, length);
        }

        @Override
        protected void engineUpdate(byte data) throws SignatureException {
            jdk.update(data);
        }

        @Override
        protected boolean engineVerify(byte[] signature) throws SignatureException {
            calls++;
            return script.result(jdk.verify(signature));
        }

        @Override
        protected void engineInitSign(PrivateKey key) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected byte[] engineSign() {
            throw new UnsupportedOperationException();
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String name, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        @Deprecated
        protected Object engineGetParameter(String name) {
            throw new UnsupportedOperationException();
        }
    }
}
