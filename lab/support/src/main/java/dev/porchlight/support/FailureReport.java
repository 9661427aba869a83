// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.support;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

/** Adds the logs of the services to the exception of a failed test, which every runner prints. */
public final class FailureReport implements InvocationInterceptor {
    /** The logs, as a suppressed exception without a stack trace. */
    static final class Evidence extends Exception {
        private static final long serialVersionUID = 1;

        Evidence(String logs) {
            super(logs, null, false, false);
        }
    }

    /** Adds text to a failure, such as the content of a page. */
    public static void add(Throwable failure, String text) {
        if (!text.isBlank()) {
            failure.addSuppressed(new Evidence(text));
        }
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        reporting(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        reporting(invocation);
    }

    @Override
    public void interceptDynamicTest(
            Invocation<Void> invocation, DynamicTestInvocationContext test, ExtensionContext context) throws Throwable {
        reporting(invocation);
    }

    @Override
    public void interceptBeforeAllMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        reporting(invocation);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        reporting(invocation);
    }

    private static void reporting(Invocation<Void> invocation) throws Throwable {
        long start = System.nanoTime();
        try {
            invocation.proceed();
        } catch (TestAbortedException skipped) {
            throw skipped;
        } catch (Throwable failure) {
            add(failure, ServiceLogs.since(start));
            throw failure;
        }
    }
}
