// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.porchlight.base.JsonTree;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names passkeys and browsers as the pages do, in English: with the lists in their scripts. Immutable. */
public final class PasskeyNames {
    private static final Pattern ENTRY = Pattern.compile("\\[/(.+)/, '(.+)'\\]");
    private static final Set<String> SECURITY_KEY = Set.of("usb", "nfc", "ble", "smart-card");

    private final Map<String, Object> providers;
    private final List<Entry> browsers;
    private final List<Entry> systems;

    private record Entry(Pattern pattern, String name) {}

    public PasskeyNames() {
        providers = JsonTree.parse(Language.object("porchlight/providers.js"));
        String[] lists = new String(WebFile.read("porchlight/passkey-names.js"), UTF_8).split("const SYSTEMS", 2);
        browsers = entries(lists[0]);
        systems = entries(lists[1]);
    }

    private static List<Entry> entries(String list) {
        return ENTRY.matcher(list)
                .results()
                .map(found -> new Entry(Pattern.compile(found.group(1)), found.group(2)))
                .toList();
    }

    /** Adds the member {@code title} to each passkey of a list. Equal default names are numbered. */
    public void addTitles(List<Map<String, Object>> passkeys) {
        Set<Object> taken = new HashSet<>();
        passkeys.forEach(passkey -> taken.add(passkey.getOrDefault("name", "")));
        for (Map<String, Object> passkey : passkeys) {
            Object name = passkey.get("name");
            Object title = name == null ? defaultName(passkey) : name;
            for (int number = 2; name == null && taken.contains(title); number++) {
                title = defaultName(passkey) + " (" + number + ')';
            }
            taken.add(title);
            passkey.put("title", title);
        }
    }

    private String defaultName(Map<String, Object> passkey) {
        Object model = passkey.get("authenticator") instanceof Map<?, ?> known ? known.get("name") : null;
        Object provider = providers.get(passkey.getOrDefault("aaguid", ""));
        if (provider != null || model != null) {
            return String.valueOf(provider == null ? model : provider);
        }
        List<?> transports = passkey.get("transports") instanceof List<?> list ? list : List.of();
        if (!transports.contains("internal") && transports.stream().anyMatch(SECURITY_KEY::contains)) {
            return text("account.securityKey");
        }
        Object userAgent = passkey.get("userAgent");
        return userAgent == null ? text("account.passkey") : browserOf(userAgent.toString());
    }

    /** Such as {@code Firefox on Windows}. */
    public String browserOf(String userAgent) {
        String browser = find(browsers, userAgent);
        if (browser == null) {
            String first = userAgent.split("[\\s/]", 2)[0];
            browser = first.isEmpty() ? text("account.application") : first;
        }
        String system = find(systems, userAgent);
        return system == null
                ? browser
                : text("account.browser").replace("{browser}", browser).replace("{system}", system);
    }

    private static @Nullable String find(List<Entry> entries, String userAgent) {
        return entries.stream()
                .filter(entry -> entry.pattern().matcher(userAgent).find())
                .map(Entry::name)
                .findFirst()
                .orElse(null);
    }

    private static String text(String key) {
        return Languages.SHIPPED.choose(List.of("en")).text(key);
    }
}
