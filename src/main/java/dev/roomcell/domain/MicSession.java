package dev.roomcell.domain;

/**
 * One stay on the mic (MIC-1).
 *
 * @param id names it; unique in the room
 * @param userId whose it is
 * @param roomVersion the version that began it; never changes (MIC-2)
 * @param startedAtMs when it began, epoch ms
 * @param publishDeadlineMs when the seat is taken away if the audio is not confirmed, epoch ms; 0 when no deadline runs
 * @param streaming whether the last that was heard of its audio is that it is on the air (MIC-7)
 * @param lastPublishEventAtMs the time of the newest of RTC's events that was taken for this session's, RTC's clock,
 *     epoch ms; 0 when there was none: older ones are late (MIC-2)
 */
public record MicSession(
        String id,
        String userId,
        long roomVersion,
        long startedAtMs,
        long publishDeadlineMs,
        boolean streaming,
        long lastPublishEventAtMs) {
    /** No session: nobody sits there. */
    public static final MicSession NONE = new MicSession("", "", 0, 0, 0, false, 0);

    /** One that begins: nothing was heard of its audio. */
    static MicSession begun(String userId, Stamp stamp, RoomPolicy policy) {
        long deadlineMs = stamp.atMs() + policy.publishWithinMs();
        return new MicSession(idOf(stamp.version()), userId, stamp.version(), stamp.atMs(), deadlineMs, false, 0);
    }

    /**
     * The id of the session that a version begins. Only one version is ever committed under a number, and nobody hears
     * of it before, so it names the session in its room for ever.
     */
    public static String idOf(long roomVersion) {
        return "mic-" + roomVersion;
    }

    MicSession due(long deadlineMs) {
        return new MicSession(id, userId, roomVersion, startedAtMs, deadlineMs, streaming, lastPublishEventAtMs);
    }

    MicSession onTheAir() {
        return new MicSession(id, userId, roomVersion, startedAtMs, 0, true, lastPublishEventAtMs);
    }

    MicSession offTheAir() {
        return new MicSession(id, userId, roomVersion, startedAtMs, publishDeadlineMs, false, lastPublishEventAtMs);
    }

    MicSession heardAt(long eventAtMs) {
        return new MicSession(id, userId, roomVersion, startedAtMs, publishDeadlineMs, streaming, eventAtMs);
    }
}
