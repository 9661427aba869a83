// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http2.BufferingFlowControlStrategy;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;

/**
 * The flow control of one HTTP/2 connection. It counts WINDOW_UPDATE frames as control frames unless they are expected: clients
 * send a few for each stream and for each DATA frame that they receive; more are a flood. Thread-safe.
 */
final class WindowUpdates extends BufferingFlowControlStrategy {
    /** Jetty's default. */
    private static final float BUFFER_RATIO = 0.5F;

    private static final int EARNED_BY_EACH = 2;

    private final AtomicLong earned = new AtomicLong();

    WindowUpdates() {
        super(BUFFER_RATIO);
    }

    @Override
    public void onStreamCreated(Stream stream) {
        super.onStreamCreated(stream);
        earned.addAndGet(EARNED_BY_EACH);
    }

    @Override
    public void onDataSending(Stream stream, int length) {
        super.onDataSending(stream, length);
        earned.addAndGet(EARNED_BY_EACH);
    }

    private void received(HTTP2Session session, Frame frame) {
        if (earned.getAndUpdate(left -> Math.max(0, left - 1)) == 0
                && !session.getParser().rateControlOnEvent(frame)) {
            session.onConnectionFailure(ErrorCode.ENHANCE_YOUR_CALM_ERROR.code, "window_update_frame_rate");
        }
    }

    /** Counts the frames of every connection as they are parsed. */
    static final class Listener implements HTTP2Session.FrameListener {
        @Override
        public void onIncomingFrame(Session session, Frame frame) {
            if (frame instanceof WindowUpdateFrame
                    && session instanceof HTTP2Session http2
                    && http2.getFlowControlStrategy() instanceof WindowUpdates updates) {
                updates.received(http2, frame);
            }
        }
    }
}
