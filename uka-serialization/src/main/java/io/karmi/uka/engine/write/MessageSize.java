package io.karmi.uka.engine.write;

/**
 * Size of the messages that begin with an object of one class, of streams that begin with them: the
 * next one is mostly as large.
 *
 * <p>It grows at once, and shrinks when a message is much smaller, so that threads seldom write to
 * it. Thread-safe: a race costs an array that is too small or too large.
 */
final class MessageSize {
  /** Numbers are rounded up to multiples of it. */
  private static final int STEP = 8;

  private static final int SPARE_BYTES = 32;

  private int bytes;
  private int objects;

  /** Bytes to make room for; 0 before the first message. */
  int bytes() {
    return bytes;
  }

  /** Objects to expect, about; 0 before the first message. */
  int objects() {
    return objects;
  }

  void note(int messageBytes, int messageObjects) {
    /* What has been delivered piece by piece is not in the buffer. */
    if (messageBytes > bytes || messageBytes >= 0 && messageBytes + SPARE_BYTES < bytes / 2) {
      /* More is reserved than is written, mostly for strings. */
      bytes = messageBytes + messageBytes / 8 + SPARE_BYTES & -STEP;
    }
    if (messageObjects > objects || messageObjects < objects / 4) {
      objects = messageObjects + STEP - 1 & -STEP;
    }
  }
}
