// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import io.nayuki.qrcodegen.QrCode.Ecc;

/** Draws QR codes. */
final class QrCode {
    /** Modules of light margin, which scanners need. */
    private static final int MARGIN = 4;

    private QrCode() {}

    /** A QR code as an SVG image, dark on light in any color scheme. */
    static String svg(String text) {
        var code = io.nayuki.qrcodegen.QrCode.encodeText(text, Ecc.MEDIUM);
        StringBuilder dark = new StringBuilder();
        for (int y = 0; y < code.size; y++) {
            for (int x = 0; x < code.size; x++) {
                if (code.getModule(x, y)) {
                    dark.append('M')
                            .append(x + MARGIN)
                            .append(' ')
                            .append(y + MARGIN)
                            .append("h1v1h-1z");
                }
            }
        }
        int size = code.size + 2 * MARGIN;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + ' ' + size
                + "\" shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h" + size + 'v' + size + "H0z\"/>"
                + "<path d=\"" + dark + "\"/></svg>";
    }
}
