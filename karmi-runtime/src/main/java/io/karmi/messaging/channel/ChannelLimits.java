package io.karmi.messaging.channel;

import io.karmi.settings.Settings;
import io.karmi.technology.ConnectionSettings;

/**
 * Times of a channel.
 *
 * @param answerMillis for which the other end may acknowledge nothing, or read nothing while the
 *     window is full; 0 for ever
 * @param answerSetting the setting that says so, for messages
 * @param readMillis for which a reader waits; 0 for ever
 * @param silenceMillis after which an end of which nothing comes is lost; 0 for never
 * @param askMillis after which an end of which nothing comes is asked for its state
 */
public record ChannelLimits(
    long answerMillis, String answerSetting, long readMillis, long silenceMillis, long askMillis) {
  /** Attempts to hear of the other end before it is given up, or its link is idle. */
  private static final int ATTEMPTS = 3;

  /** Those of connections. */
  public static ChannelLimits of(ConnectionSettings settings) {
    long call = Settings.CALL_TIMEOUT.get();
    long silence = settings.keepAliveMillis;
    long idle = Math.max(ATTEMPTS, settings.idleTimeoutMillis);
    return new ChannelLimits(
        call > 0 ? call : settings.writeTimeoutMillis,
        call > 0 ? "karmi.callTimeout" : "karmi.writeTimeout",
        settings.readTimeoutMillis,
        silence,
        (silence > 0 ? Math.min(silence, idle) : idle) / ATTEMPTS);
  }

  /** With another time for a reader, unless that is 0. */
  ChannelLimits withReadMillis(long millis) {
    return millis == 0
        ? this
        : new ChannelLimits(answerMillis, answerSetting, millis, silenceMillis, askMillis);
  }
}
