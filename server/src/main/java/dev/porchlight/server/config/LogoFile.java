// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.config;

import dev.porchlight.base.Bytes;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * A logo: an SVG or PNG image. Other files are refused with an {@link IllegalArgumentException}.
 *
 * @param type the file name extension, {@code svg} or {@code png}
 * @param ratio the width divided by the height
 */
public record LogoFile(String type, Bytes content, double ratio) {
    static final int MAX_BYTES = 128 * 1024;
    private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    private static final int PNG_HEADER = 24;
    private static final double MAX_RATIO = 8;

    /** Elements that run code or embed other documents. */
    private static final Set<String> REFUSED =
            Set.of("script", "foreignobject", "iframe", "object", "embed", "handler");

    /** A style sheet that refers to another file. */
    private static final Pattern EXTERNAL =
            Pattern.compile("(?i)@import|(?:url|image-set)\\(\\s*+['\"]?+\\s*+(?!#|data:)");

    static LogoFile read(String name) {
        byte[] content = Parsers.file(name, MAX_BYTES + 1);
        if (content.length > MAX_BYTES) {
            throw new IllegalArgumentException("the file must have at most " + MAX_BYTES / 1024 + " KiB");
        }
        if (content.length >= PNG_HEADER && Arrays.equals(content, 0, PNG.length, PNG, 0, PNG.length)) {
            ByteBuffer header = ByteBuffer.wrap(content, 16, 8);
            return logo("png", content, header.getInt(), header.getInt());
        }
        return svg(content);
    }

    private static LogoFile logo(String type, byte[] content, double width, double height) {
        double ratio = width / height;
        if (width > 0 && height > 0 && ratio <= MAX_RATIO && ratio >= 1 / MAX_RATIO) {
            return new LogoFile(type, Bytes.copyOf(content), ratio);
        }
        throw new IllegalArgumentException("the image must be at most 8 times as wide as high, or as high as wide");
    }

    private static LogoFile svg(byte[] content) {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        LogoFile logo = null;
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new ByteArrayInputStream(content));
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.DTD) {
                    throw new IllegalArgumentException("the SVG must not have a DOCTYPE");
                }
                if (event == XMLStreamConstants.PROCESSING_INSTRUCTION
                        && xml.getPITarget().equals("xml-stylesheet")) {
                    throw external();
                }
                if (event == XMLStreamConstants.START_ELEMENT) {
                    if (logo == null) {
                        logo = root(xml, content);
                    }
                    requireStatic(xml);
                }
            }
        } catch (XMLStreamException e) {
            throw new IllegalArgumentException("must be an SVG or PNG file");
        }
        if (logo == null) {
            throw new IllegalArgumentException("must be an SVG or PNG file");
        }
        return logo;
    }

    private static LogoFile root(XMLStreamReader xml, byte[] content) {
        if (!xml.getLocalName().equals("svg") || !"http://www.w3.org/2000/svg".equals(xml.getNamespaceURI())) {
            throw new IllegalArgumentException("must be an SVG or PNG file");
        }
        String box = xml.getAttributeValue(null, "viewBox");
        if (box != null) {
            String[] numbers = box.strip().split("[\\s,]+", -1);
            if (numbers.length == 4) {
                return logo("svg", content, number(numbers[2]), number(numbers[3]));
            }
        }
        return logo(
                "svg",
                content,
                number(xml.getAttributeValue(null, "width")),
                number(xml.getAttributeValue(null, "height")));
    }

    /** Returns a length without its unit, or 1 if there is none. */
    private static double number(@Nullable String text) {
        try {
            return text == null ? 1 : Double.parseDouble(text.strip().replaceAll("(px|pt|mm|cm|in|em)$", ""));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /** Refuses code and references to other files, which browsers do not load in an image. Reads the text of a style sheet. */
    private static void requireStatic(XMLStreamReader xml) throws XMLStreamException {
        String element = xml.getLocalName().toLowerCase(Locale.ROOT);
        if (REFUSED.contains(element) || "http://www.w3.org/1999/xhtml".equals(xml.getNamespaceURI())) {
            throw new IllegalArgumentException("the SVG must not contain <" + xml.getLocalName() + ">");
        }
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String attribute = xml.getAttributeLocalName(i).toLowerCase(Locale.ROOT);
            String value = xml.getAttributeValue(i).strip();
            if (attribute.startsWith("on")) {
                throw new IllegalArgumentException("the SVG must not have the attribute " + attribute);
            }
            boolean link = attribute.equals("href") && !value.startsWith("#") && !value.startsWith("data:image/");
            boolean animatedLink = attribute.equals("attributename") && value.endsWith("href");
            if (link || animatedLink || EXTERNAL.matcher(value).find()) {
                throw external();
            }
        }
        if (element.equals("style") && EXTERNAL.matcher(xml.getElementText()).find()) {
            throw external();
        }
    }

    private static IllegalArgumentException external() {
        return new IllegalArgumentException("the SVG must not refer to other files");
    }

    /** Only the type, because the content is long. */
    @Override
    public String toString() {
        return type;
    }
}
