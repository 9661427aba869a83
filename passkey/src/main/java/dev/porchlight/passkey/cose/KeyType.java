// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.passkey.cose;

import dev.porchlight.base.Base64Url;
import dev.porchlight.base.Bytes;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.MalformedException;
import dev.porchlight.passkey.CredentialAlgorithm;
import dev.porchlight.passkey.data.CborMap;
import dev.porchlight.passkey.data.CborValue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the keys of one algorithm are encoded: the members of a COSE key and of a JWK, and the class that checks their values.
 *
 * <p>WebAuthn allows no other member in a credential public key (section 6.5.1.1), so a private key is refused. Immutable.
 */
public final class KeyType {
    /** The length of the beginning of a JWK that distinguishes all algorithms. */
    public static final int START_CHARS = 40;

    private static final Map<CredentialAlgorithm, KeyType> TYPES = new EnumMap<>(CredentialAlgorithm.class);

    static {
        for (CredentialAlgorithm algorithm : CredentialAlgorithm.values()) {
            TYPES.put(algorithm, tableEntry(algorithm));
        }
    }

    /** The table of algorithms. */
    private static KeyType tableEntry(CredentialAlgorithm algorithm) {
        return switch (algorithm) {
            case ES256 -> EcKey.type(EcCurve.P256);
            case ES384 -> EcKey.type(EcCurve.P384);
            case ES512 -> EcKey.type(EcCurve.P521);
            case EDDSA -> Ed25519Key.type();
            case RS256, PS256 -> RsaKey.type(algorithm);
            case ML_DSA_44, ML_DSA_65, ML_DSA_87 -> MlDsaKey.type(algorithm);
        };
    }

    /**
     * A member of a key: a byte string, or one with a constant value, which distinguishes types.
     *
     * @param numbers the values of a constant in COSE; empty for a byte string
     * @param text the value of a constant in a JWK
     * @param most the largest length of a byte string in a JWK
     */
    record Member(String name, long label, List<Long> numbers, String text, boolean inJwk, int most) {
        static Member kty(long number, String text) {
            return new Member("kty", 1, List.of(number), text, true, 0);
        }

        static Member alg(CredentialAlgorithm algorithm, boolean inJwk) {
            return new Member("alg", CoseKey.ALG, algorithm.numbers(), algorithm.label(), inJwk, 0);
        }

        static Member crv(long number, String text) {
            return new Member("crv", -1, List.of(number), text, true, 0);
        }

        static Member bytes(String name, long label, int most) {
            return new Member(name, label, List.of(), "", true, most);
        }

        boolean isConstant() {
            return !numbers.isEmpty();
        }
    }

    private final CredentialAlgorithm algorithm;
    private final List<Member> members;
    private final List<Member> jwkMembers;
    /** A JWK with its members in order: the parts around the byte strings. */
    private final List<String> jwkParts;

    private final Function<List<Bytes>, CredentialPublicKey> constructor;
    private final String decoy;

    /**
     * Creates a type.
     *
     * @param members constants first
     * @param constructor creates a key from its byte strings, or throws an {@link IllegalArgumentException} with what is wrong
     * @param decoy the byte strings of a key that replaces the one of a credential that does not exist. A signature that it
     *     verifies is refused anyway
     */
    KeyType(
            CredentialAlgorithm algorithm,
            List<Member> members,
            Function<List<Bytes>, CredentialPublicKey> constructor,
            List<Bytes> decoy) {
        this.algorithm = algorithm;
        this.members = members;
        this.jwkMembers = members.stream().filter(Member::inJwk).toList();
        this.jwkParts = List.of(jwkMembers.stream()
                .map(member -> '"' + member.name + "\":\"" + (member.isConstant() ? member.text : "\0") + '"')
                .collect(Collectors.joining(",", "{", "}"))
                .split("\0", -1));
        this.constructor = constructor;
        this.decoy = jwk(decoy);
    }

    public static KeyType of(CredentialAlgorithm algorithm) {
        return Objects.requireNonNull(TYPES.get(algorithm));
    }

    /** Returns the type of a JWK. Without the {@code alg} of another one, an RSA key is for RS256. */
    static KeyType of(JsonObject jwk) throws MalformedException {
        KeyType found = null;
        for (KeyType type : TYPES.values()) {
            found = type.isTypeOf(jwk) ? type : found;
        }
        if (found == null) {
            throw new MalformedException("jwk", "not a key for " + TYPES.keySet());
        }
        return found;
    }

    private boolean isTypeOf(JsonObject jwk) throws MalformedException {
        for (Member member : jwkMembers) {
            if (member.isConstant() && !member.text.equals(jwk.optionalText(member.name))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the algorithm of a stored JWK by its beginning. A JWK with another order of members counts as ES256. */
    public static CredentialAlgorithm algorithmOf(String jwkStart) {
        return TYPES.values().stream()
                .filter(type -> jwkStart.startsWith(type.jwkParts.get(0)))
                .map(type -> type.algorithm)
                .findFirst()
                .orElse(CredentialAlgorithm.ES256);
    }

    /** Returns the decoy. Parsed each time, like a stored key, so that the time is the same. */
    public CredentialPublicKey decoy() {
        try {
            return parse(decoy);
        } catch (MalformedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Parses a stored JWK, with exactly the members that {@link #jwk} writes. */
    static CredentialPublicKey parse(String json) throws MalformedException {
        // Nearly every row is as it was written, so parsing it needs no JSON reader.
        for (KeyType type : TYPES.values()) {
            CredentialPublicKey key = type.parseInOrder(json);
            if (key != null) {
                return key;
            }
        }
        JsonObject jwk = JsonObject.parse(json, "jwk");
        KeyType type = of(jwk);
        CredentialPublicKey key = type.read(jwk);
        requireOnly(type.jwkMembers, jwk.names().size(), "jwk");
        return key;
    }

    private @Nullable CredentialPublicKey parseInOrder(String json) throws MalformedException {
        if (!json.startsWith(jwkParts.get(0)) || json.indexOf('\\') >= 0) {
            return null;
        }
        int at = jwkParts.get(0).length();
        List<Bytes> found = new ArrayList<>();
        for (Member member : jwkMembers) {
            if (!member.isConstant()) {
                String next = jwkParts.get(found.size() + 1);
                int end = json.indexOf('"', at);
                if (end < 0 || !json.startsWith(next, end)) {
                    return null;
                }
                found.add(Base64Url.decode(json.substring(at, end), member.most, "jwk." + member.name));
                at = end + next.length();
            }
        }
        return at == json.length() ? key(found, "jwk") : null;
    }

    /** Reads a JWK of this type, which may have other members. */
    CredentialPublicKey read(JsonObject jwk) throws MalformedException {
        List<Bytes> found = new ArrayList<>();
        for (Member member : jwkMembers) {
            if (!member.isConstant()) {
                found.add(jwk.bytes(member.name, member.most));
            }
        }
        return key(found, "jwk");
    }

    /** Parses a received key, with exactly the members of this type. */
    CredentialPublicKey fromCose(CborMap key) throws MalformedException {
        List<Bytes> found = new ArrayList<>();
        for (Member member : members) {
            CborValue value = key.get(member.label);
            String part = CoseKey.PART + '.' + member.name;
            if (!member.isConstant()) {
                found.add(CborMap.bytes(value, part));
            } else if (!(value instanceof CborValue.Int number) || !member.numbers.contains(number.value())) {
                throw new MalformedException(part, "not " + member.text + " (" + member.numbers.get(0) + ")");
            }
        }
        requireOnly(members, key.size(), CoseKey.PART);
        return key(found, CoseKey.PART);
    }

    private static void requireOnly(List<Member> members, int count, String part) throws MalformedException {
        if (count != members.size()) {
            List<String> names = members.stream().map(Member::name).toList();
            throw new MalformedException(part, "members other than " + String.join(", ", names));
        }
    }

    private CredentialPublicKey key(List<Bytes> found, String part) throws MalformedException {
        try {
            return constructor.apply(found);
        } catch (IllegalArgumentException e) {
            throw new MalformedException(part, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the JWK of a key with these byte strings. */
    String jwk(List<Bytes> values) {
        StringBuilder json = new StringBuilder(jwkParts.get(0));
        for (int i = 0; i < values.size(); i++) {
            json.append(values.get(i).base64Url()).append(jwkParts.get(i + 1));
        }
        return json.toString();
    }
}
