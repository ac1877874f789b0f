package io.karmi.wiring;

import io.karmi.settings.NumberSetting;
import io.karmi.settings.Settings;
import io.karmi.technology.ServiceThread;

/**
 * Periodic garbage collection, so that unused references are given up in time, if an operator asks
 * for it by {@code sun.rmi.dgc.client.gcInterval} or {@code sun.rmi.dgc.server.gcInterval}, in
 * milliseconds. Stock RMI collects every hour by default, KaRMI does not.
 */
final class GarbageInterval {
  private GarbageInterval() {}

  static void keep() {
    long millis =
        Math.min(interval(Settings.CLIENT_COLLECTIONS), interval(Settings.SERVER_COLLECTIONS));
    if (millis < Long.MAX_VALUE) {
      new ServiceThread("KaRMI Garbage", true, () -> Thread.sleep(millis), GarbageInterval::collect)
          .ensureRunning();
    }
  }

  /** The property's value; as good as never if it is not set, or not positive. */
  private static long interval(NumberSetting setting) {
    long millis = setting.get();
    return millis <= 0 ? Long.MAX_VALUE : millis;
  }

  private static boolean collect() {
    System.gc();
    return true;
  }
}
