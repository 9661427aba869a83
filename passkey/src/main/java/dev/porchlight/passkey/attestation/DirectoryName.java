// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.base.MalformedException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The textual attributes of an X.501 name, by object identifier, regardless of its relative names. */
record DirectoryName(Map<String, List<String>> attributes, boolean isEmpty) {
    static DirectoryName subject(X509Certificate certificate) throws MalformedException {
        return read(certificate.getSubjectX500Principal().getEncoded());
    }

    static DirectoryName read(byte[] der) throws MalformedException {
        return content(Der.sequence(der));
    }

    static DirectoryName read(Der from) throws MalformedException {
        return content(from.enter(Der.SEQUENCE));
    }

    private static DirectoryName content(Der name) throws MalformedException {
        boolean empty = !name.hasNext();
        var attributes = new HashMap<String, List<String>>();
        while (name.hasNext()) {
            Der relative = name.enter(Der.SET);
            while (relative.hasNext()) {
                Der attribute = relative.enter(Der.SEQUENCE);
                String type = attribute.oid();
                if (Der.isText(attribute.peek())) {
                    attributes.computeIfAbsent(type, t -> new ArrayList<>()).add(attribute.text());
                } else {
                    attribute.skip();
                }
                attribute.finish();
            }
        }
        return new DirectoryName(attributes, empty);
    }

    /** Returns whether it has this attribute exactly once and not blank. Duplicates would be ambiguous. */
    boolean has(String type) {
        return has(type, "(?s).*");
    }

    /** Returns whether it has this attribute exactly once, not blank and matching the pattern. */
    boolean has(String type, String pattern) {
        List<String> values = attributes.getOrDefault(type, List.of());
        return values.size() == 1 && !values.get(0).isBlank() && values.get(0).matches(pattern);
    }
}
