// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.authorize.AuthorizeRequestParser;
import dev.porchlight.server.openid.client.ClientRequestParser;
import dev.porchlight.server.openid.logout.LogoutRequestParser;
import dev.porchlight.server.openid.protocol.ParametersParser;
import dev.porchlight.server.openid.protocol.RefusedException;
import dev.porchlight.server.openid.token.TokenRequestParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** A parser of what strangers send to OpenID Connect. It reads its input or refuses it, and nothing else. */
public interface RequestParser {
    /** All parsers, of all packages. */
    static List<RequestParser> all() {
        return Stream.<RequestParser[]>of(
                        ParametersParser.values(),
                        ClientRequestParser.values(),
                        TokenRequestParser.values(),
                        LogoutRequestParser.values(),
                        AuthorizeRequestParser.values())
                .flatMap(Stream::of)
                .toList();
    }

    String name();

    void read(String text) throws RefusedException, MalformedException;

    /** Reads an input; throws only if that breaks a rule. */
    default void run(byte[] input) {
        try {
            read(new String(input, StandardCharsets.ISO_8859_1));
        } catch (RefusedException refused) {
            assertThat(refused.refusal().found().length()).isLessThan(300);
        } catch (MalformedException refused) {
            assertThat(refused.getMessage()).hasSizeLessThan(200);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("input " + HexFormat.of().formatHex(input), e);
        }
    }

    /** The directory of the corpus. */
    default Path directory() {
        return Path.of(
                System.getProperty("porchlight.root"),
                "server/src/test/resources/dev/porchlight/server/openid/corpus",
                name());
    }

    /** The inputs of the corpus. */
    default List<byte[]> corpus() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            List<byte[]> corpus = new ArrayList<>();
            for (Path file : files.sorted().toList()) {
                corpus.add(Files.readAllBytes(file));
            }
            return corpus;
        }
    }
}
