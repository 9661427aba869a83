// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.junit;

import dev.porchlight.testkit.AttestationFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Provides a test with a software browser and authenticator: parameters of the types {@link
 * dev.porchlight.testkit.SoftBrowser} and {@link dev.porchlight.testkit.SoftAuthenticator}.
 *
 * <p>On a class, which its subclasses inherit, or a method, all parameters of a test share one authenticator. On a parameter, it has its own.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
@ExtendWith(VirtualPasskeyExtension.class)
public @interface VirtualPasskey {
    /** The origin of the page, for example {@code https://example.com}. */
    String origin() default "http://localhost";

    /** Whether passkeys are synced, as those of platforms and password managers are. */
    boolean synced() default false;

    /** The supported algorithms by their COSE numbers, for example -8 for Ed25519 or -49 for ML-DSA-65. */
    int[] algorithms() default -7;

    /** The supported extensions. */
    String[] extensions() default {"prf", "largeBlob", "credProtect", "minPinLength"};

    AttestationFormat attestation() default AttestationFormat.NONE;

    /** Whether it can verify its user by PIN or biometrics. */
    boolean userVerified() default true;
}
