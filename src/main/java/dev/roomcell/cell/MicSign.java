package dev.roomcell.cell;

/**
 * What a heartbeat says of its sender's audio (MIC-10).
 *
 * @param micSessionId the session that the sender believes to hold; empty for none
 * @param publishing whether they send audio right now
 */
public record MicSign(String micSessionId, boolean publishing) {
    /** Of a sender who sends no audio and believes to have no seat. */
    public static final MicSign SILENT = new MicSign("", false);
}
