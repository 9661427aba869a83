// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.base.IpAddress;
import dev.porchlight.server.limit.ClientAddresses;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** Reads values from Jetty's requests that Jetty does not offer in this form. */
final class Requests {
    private static final Pattern JSON =
            Pattern.compile("application/json(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    private static final Pattern FORM = Pattern.compile(
            "application/x-www-form-urlencoded(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    /** Browsers always resolve localhost and names below it to this machine. */
    private static final Pattern LOOPBACK = Pattern.compile(
            "(?:[a-z0-9-]+\\.)*localhost|127(?:\\.\\d{1,3}){3}|\\[?(?:::1|0:0:0:0:0:0:0:1)]?",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern ADDRESS_OR_LOCAL_NAME =
            Pattern.compile("\\[[0-9a-f:.]+]|\\d{1,3}(?:\\.\\d{1,3}){3}|[a-z0-9_-]+", Pattern.CASE_INSENSITIVE);

    private Requests() {}

    static List<String> queryParameters(Request request, String name) throws ProblemException {
        try {
            Fields.Field field = Request.extractQueryParameters(request).get(name);
            return field == null ? List.of() : field.getValues();
        } catch (RuntimeException malformed) {
            throw new ProblemException(Problem.malformed("The query string is malformed."));
        }
    }

    /** The address of the connected peer, without the brackets and zone that Jetty adds to IPv6 addresses. */
    static String peerAddress(Request request) {
        String address = Request.getRemoteAddr(request);
        if (!address.startsWith("[")) {
            return address;
        }
        int zone = address.indexOf('%');
        return address.substring(1, zone < 0 ? address.length() - 1 : zone);
    }

    /** The address of the client, as reported by trusted proxies. */
    static String clientAddress(Request request, ClientAddresses clients) {
        List<String> hops = request.getHeaders().getValuesList("X-Forwarded-For");
        return clients.clientOf(peerAddress(request), hops.isEmpty() ? null : String.join(",", hops));
    }

    /** The key for per-client limits, or null for a trusted proxy that does not name its client. */
    static @Nullable String limitKey(Request request, ClientAddresses clients) {
        String client = clientAddress(request, clients);
        return clients.trusts(client) ? null : IpAddress.limitKey(client);
    }

    /** The scheme as the client sees it. Of several values, the trusted proxy added the last one; the client may have sent the others. */
    static String scheme(Request request, ClientAddresses clients) {
        if (clients.trusts(peerAddress(request))) {
            String all = String.join(",", request.getHeaders().getValuesList("X-Forwarded-Proto"));
            String last = all.substring(all.lastIndexOf(',') + 1).strip().toLowerCase(Locale.ROOT);
            if (last.equals("http") || last.equals("https")) {
                return last;
            }
        }
        String scheme = request.getHttpURI().getScheme();
        return scheme == null ? "http" : scheme;
    }

    /** A segment of a path without escapes; as it is if they are malformed. */
    static String decodedSegment(String segment) {
        try {
            // URLDecoder alone, without the rules for path parameters: /a;b is not the same path as /a
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return segment;
        }
    }

    static String protocolVersion(Request request) {
        String protocol = request.getConnectionMetaData().getProtocol();
        return protocol.substring(protocol.indexOf('/') + 1);
    }

    static boolean isLoopback(String host) {
        return host.equals("localhost") || LOOPBACK.matcher(host).matches();
    }

    /** Whether no site on the internet can have this host: an address, a name without a dot, or this machine. */
    static boolean isOfNoSite(String host) {
        return isLoopback(host) || ADDRESS_OR_LOCAL_NAME.matcher(host).matches();
    }

    static boolean isJson(HttpFields headers) {
        return hasType(headers, "application/json", JSON);
    }

    static boolean isForm(HttpFields headers) {
        return hasType(headers, "application/x-www-form-urlencoded", FORM);
    }

    private static boolean hasType(HttpFields headers, String usual, Pattern expected) {
        String type = headers.get(HttpHeader.CONTENT_TYPE);
        return type != null
                && (type.equals(usual) || expected.matcher(type).matches())
                && !headers.contains(HttpHeader.CONTENT_ENCODING);
    }
}
