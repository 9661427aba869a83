// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.testkit.junit;

import dev.porchlight.testkit.Counting;
import dev.porchlight.testkit.SoftAuthenticator;
import dev.porchlight.testkit.SoftBrowser;
import java.lang.reflect.AnnotatedElement;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Resolves the parameters of {@link VirtualPasskey}. Thread-safe. */
@SuppressWarnings("exports") // applications without JUnit tests do not need it
public final class VirtualPasskeyExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(VirtualPasskeyExtension.class);

    /** Created by JUnit. */
    public VirtualPasskeyExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        Class<?> type = parameter.getParameter().getType();
        return type == SoftBrowser.class || type == SoftAuthenticator.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Optional<VirtualPasskey> own = parameter.findAnnotation(VirtualPasskey.class);
        SoftBrowser browser = own.map(VirtualPasskeyExtension::browser).orElseGet(() -> shared(test));
        return parameter.getParameter().getType() == SoftBrowser.class ? browser : browser.authenticator();
    }

    /** The browser of this test. */
    private static SoftBrowser shared(ExtensionContext test) {
        return Objects.requireNonNull(test.getStore(NAMESPACE)
                .getOrComputeIfAbsent(test.getUniqueId(), id -> browser(nearest(test)), SoftBrowser.class));
    }

    /** The annotation of the method, or of the class and those around it. */
    private static VirtualPasskey nearest(ExtensionContext test) {
        Optional<ExtensionContext> context = Optional.of(test);
        Optional<VirtualPasskey> found = Optional.empty();
        while (found.isEmpty() && context.isPresent()) {
            found = context.get().getElement().flatMap(VirtualPasskeyExtension::of);
            context = context.get().getParent();
        }
        return found.orElseThrow(() -> new ParameterResolutionException(
                "@VirtualPasskey is missing: it belongs on the parameter, its method or its class"));
    }

    private static Optional<VirtualPasskey> of(AnnotatedElement element) {
        return Optional.ofNullable(element.getAnnotation(VirtualPasskey.class));
    }

    private static SoftBrowser browser(VirtualPasskey passkey) {
        var builder = SoftAuthenticator.builder()
                .algorithms(passkey.algorithms())
                .extensions(passkey.extensions())
                .attestation(passkey.attestation())
                .userVerified(passkey.userVerified());
        if (passkey.synced()) {
            builder.attachment("platform")
                    .transports("hybrid", "internal")
                    .counting(Counting.NOT_AT_ALL)
                    .backup(true, true);
        }
        return new SoftBrowser(passkey.origin(), builder.build());
    }
}
