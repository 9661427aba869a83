// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.base;

/** The problem responses that the service and the Spring Boot starter share. */
public enum CommonProblem {
    MALFORMED_REQUEST(400, "malformed_request", "The request is malformed."),
    RECENT_LOGIN_REQUIRED(
            403, "recent_login_required", "Sign in again. Adding or removing a passkey requires a recent sign-in."),
    CROSS_SITE(403, "cross_site", "Requests from other sites are not accepted."),
    NO_SUCH_PASSKEY(404, "not_found", "You have no such passkey."),
    METHOD_NOT_ALLOWED(405, "method_not_allowed", "This method is not allowed for this URL."),
    LAST_CREDENTIAL(409, "last_credential", "This is your last passkey. Without it you cannot sign in again."),
    BODY_TOO_LARGE(413, "body_too_large", "The request body is too large."),
    NOT_JSON(415, "unsupported_media_type", "The request body must be application/json."),
    INTERNAL_ERROR(500, "internal_error", "Internal server error. Try again in a moment."),
    STORAGE_UNAVAILABLE(503, "storage_unavailable", "A backend is unavailable. Try again in a moment."),
    STORAGE_FULL(503, "storage_full", "The storage is full. Try again in a moment.");

    private final int status;
    private final String code;
    private final String error;

    CommonProblem(int status, String code, String error) {
        this.status = status;
        this.code = code;
        this.error = error;
    }

    /** Returns the HTTP status. */
    public int status() {
        return status;
    }

    /** Returns the stable code for programs. */
    public String code() {
        return code;
    }

    /** Returns the message for people. */
    public String error() {
        return error;
    }
}
