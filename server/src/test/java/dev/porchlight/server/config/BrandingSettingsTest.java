// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code RP_LOGO} and {@code RP_COLOR}. */
class BrandingSettingsTest {
    private static final String SVG = "<svg xmlns='http://www.w3.org/2000/svg' ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"#0f62fe,#0f62fe", "#ABCDEF,#abcdef", "#f80,#ff8800"})
    void a_color_has_three_or_six_digits(String text, String color) {
        assertThat(Color.parse(text)).hasToString(color);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "red", "0f62fe", "#0f62f", "#0f62fe80", "#gggggg", "#fff;}", "rgb(0,0,0)"})
    void another_color_is_refused(String text) {
        assertThatThrownBy(() -> Color.parse(text)).hasMessage("must be a color such as #0f62fe");
    }

    @ParameterizedTest
    @CsvSource({"#000000,#ffffff,21", "#ffffff,#ffffff,1", "#777777,#ffffff,4.48", "#0f62fe,#ffffff,4.99"})
    void contrast_is_computed_as_in_wcag(String one, String other, double expected) {
        assertThat(Color.parse(one).contrast(Color.parse(other)))
                .isCloseTo(expected, org.assertj.core.data.Offset.offset(0.02));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "viewBox='0 0 40 10'/>|4",
                "viewBox='0,0,40,10' width='1' height='9'/>|4",
                "width='40px' height='20'><style>a{}</style></svg>|2",
                "><path id='a'/><use href='#a'/></svg>|1",
                "><style>a{fill:url(#a)}@font-face{src:url('data:font/woff2,')}</style><path fill='url(#a)'/></svg>|1",
                "width='100%' height='100%'/>|1"
            })
    void an_svg_is_accepted_with_its_ratio(String svg, double ratio) throws IOException {
        LogoFile logo = read((SVG + svg).getBytes(UTF_8));

        assertThat(logo.type()).isEqualTo("svg");
        assertThat(logo.ratio()).isEqualTo(ratio);
    }

    @Test
    void a_png_is_accepted_with_its_ratio() throws IOException {
        LogoFile logo = read(png(30, 20));

        assertThat(logo.type()).isEqualTo("png");
        assertThat(logo.ratio()).isEqualTo(1.5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "|must be an SVG or PNG file",
                "GIF89a|must be an SVG or PNG file",
                "<svg/>|must be an SVG or PNG file",
                "<html xmlns='http://www.w3.org/1999/xhtml'/>|must be an SVG or PNG file",
                "<svg xmlns='http://www.w3.org/2000/svg'>|must be an SVG or PNG file",
                "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>|must not contain <script>",
                "<svg xmlns='http://www.w3.org/2000/svg'><foreignObject/></svg>|must not contain <foreignObject>",
                "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>|must not have the attribute onload",
                "<svg xmlns='http://www.w3.org/2000/svg'><a href='javascript:x()'/></svg>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><image href='https://a.example/'/></svg>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><style>a{}@import 'a.css'</style></svg>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><style><![CDATA[a{fill:URL( 'https://a.example/')}]]></style></svg>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><path style='fill:url(https://a.example/)'/></svg>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><a><set attributeName='xlink:href' to='javascript:x()'/></a></svg>|must not refer to other files",
                "<?xml-stylesheet href='a.css'?><svg xmlns='http://www.w3.org/2000/svg'/>|must not refer to other files",
                "<svg xmlns='http://www.w3.org/2000/svg'><img xmlns='http://www.w3.org/1999/xhtml' src='a'/></svg>|must not contain <img>",
                "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg xmlns='http://www.w3.org/2000/svg'/>|must not have a DOCTYPE",
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 90 10'/>|at most 8 times as wide",
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 0 10'/>|at most 8 times as wide"
            })
    void another_logo_is_refused(String content, String reason) {
        assertThatThrownBy(() -> read((content == null ? "" : content).getBytes(UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void a_logo_must_exist_and_be_small() {
        assertThatThrownBy(() -> LogoFile.read(directory + "/none")).hasMessageContaining("does not exist");
        assertThatThrownBy(() -> LogoFile.read(directory.toString())).hasMessageContaining("cannot be read");
        assertThatThrownBy(() -> read(new byte[LogoFile.MAX_BYTES + 1])).hasMessageContaining("at most 128 KiB");
        assertThatThrownBy(() -> read(png(0, 20))).hasMessageContaining("at most 8 times");
    }

    private LogoFile read(byte[] content) throws IOException {
        return LogoFile.read(Files.write(directory.resolve("logo"), content).toString());
    }

    private static byte[] png(int width, int height) {
        return ByteBuffer.allocate(40)
                .putLong(0x89504e470d0a1a0aL)
                .putInt(13)
                .put("IHDR".getBytes(UTF_8))
                .putInt(width)
                .putInt(height)
                .array();
    }
}
