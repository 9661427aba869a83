// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.attestation;

import dev.porchlight.passkey.data.MalformedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An X.501 name as its textual attributes, by object identifier. How they are spread over relative names does not
 * matter here.
 */
final class DirectoryName {
    private final Map<String, List<String>> attributes;
    private final boolean empty;

    private DirectoryName(Map<String, List<String>> attributes, boolean empty) {
        this.attributes = attributes;
        this.empty = empty;
    }

    static DirectoryName read(byte[] der) throws MalformedException {
        Der name = Der.over(der);
        DirectoryName read = read(name);
        name.finish();
        return read;
    }

    static DirectoryName read(Der from) throws MalformedException {
        Der name = from.enter(Der.SEQUENCE);
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

    boolean isEmpty() {
        return empty;
    }

    /**
     * The attribute's value if it is there once and says something; twice is as good as absent, since either could be
     * meant.
     */
    Optional<String> only(String type) {
        List<String> values = attributes.getOrDefault(type, List.of());
        return values.size() == 1 && !values.get(0).isBlank() ? Optional.of(values.get(0)) : Optional.empty();
    }
}
