package io.karmi.retrofit.agent;

import io.karmi.uka.platform.StreamGuards;
import org.jspecify.annotations.Nullable;

/**
 * Notes how {@code java.io.ObjectInputStream} is loaded, so that UKA's streams can tell whether
 * other agents have changed it.
 */
final class InputStreamWatch {
  static final String NAME = "java/io/ObjectInputStream";

  /** Internal name of the class of UKA that is told: it needs no access to the JDK for that. */
  static final String TOLD = "io/karmi/uka/platform/StreamGuards";

  private static final int CONSTANT_COUNT_AT = 8;

  /** Whether an agent before this one may have changed the class file that this one sees. */
  private volatile boolean othersBefore;

  InputStreamWatch(boolean othersBefore) {
    this.othersBefore = othersBefore;
  }

  /** From now on, other agents see class files before this one does. */
  void hasOthersBefore() {
    othersBefore = true;
  }

  /** The class was loaded before the agent came. */
  static void wasLoadedBefore() {
    StreamGuards.seen(-1, 0);
  }

  /**
   * The class is loaded.
   *
   * @param changed by this agent; null if it stays
   */
  void loads(byte[] classFile, byte @Nullable [] changed) {
    int before = constants(classFile);
    int added = changed == null ? 0 : constants(changed) - before;
    StreamGuards.seen(othersBefore ? -1 : before, added);
  }

  private static int constants(byte[] classFile) {
    return (classFile[CONSTANT_COUNT_AT] & 0xff) << 8 | classFile[CONSTANT_COUNT_AT + 1] & 0xff;
  }
}
