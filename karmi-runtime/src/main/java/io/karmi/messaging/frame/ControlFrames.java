package io.karmi.messaging.frame;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What a link says beside its messages. Any thread asks for it; the one that sends has it sent
 * between two frames.
 */
public final class ControlFrames {
  private static final int NUMBER_FRAME_BYTES = MessageFrame.HEADER_BYTES + Long.BYTES;

  /** Grows with what is said at a time, which mostly is a credit. */
  private byte[] frames = new byte[NUMBER_FRAME_BYTES];

  private final AtomicLong credit = new AtomicLong();
  private final AtomicLong granted = new AtomicLong();
  private final AtomicLong givenBack = new AtomicLong();
  private final AtomicInteger renewals = new AtomicInteger();
  private final AtomicReference<byte @Nullable []> notice = new AtomicReference<>();
  private volatile boolean sign;
  private volatile boolean goodbye;

  /** Where the last message before the goodbye ends; only answers are behind. */
  private volatile long goodbyeFrom;

  /* Of the thread that sends; seen by others, which look again after that has sent. */
  private volatile long creditSent;
  private volatile boolean goodbyeSent;

  /** How many bytes have been processed here. */
  public void credit(long processed) {
    credit.accumulateAndGet(processed, Math::max);
  }

  /** The last credit once more, as a sign of life. */
  public void sign() {
    sign = true;
  }

  /** The other end's window becomes longer by this number of bytes. */
  public void grant(long bytes) {
    granted.addAndGet(bytes);
  }

  /** This end's window has become shorter by this number of bytes. */
  public void giveBack(long bytes) {
    givenBack.addAndGet(bytes);
  }

  /** Asks for fresh types in a lane. */
  public void renewal(int lane) {
    renewals.accumulateAndGet(1 << lane, (a, b) -> a | b);
  }

  /** A frame with a number and a text; in place of one that was not sent yet. */
  public void notice(int kind, long number, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int body = Long.BYTES + bytes.length;
    if (body > MessageFrame.MAXIMUM_JOINED_BYTES) {
      return; // the link goes on by itself
    }
    byte[] frame = new byte[MessageFrame.lengthOf(body)];
    MessageFrame.putHeader(frame, 0, body, 0, kind);
    MessageFrame.putLong(frame, MessageFrame.HEADER_BYTES, number);
    System.arraycopy(bytes, 0, frame, MessageFrame.HEADER_BYTES + Long.BYTES, bytes.length);
    notice.set(frame);
  }

  /**
   * Says goodbye behind all messages, but does not wait for answers to cease.
   *
   * @param from where the last message ends
   * @return false if it has been said before
   */
  public boolean goodbye(long from) {
    if (goodbye) {
      return false;
    }
    goodbyeFrom = from;
    goodbye = true;
    return true;
  }

  /** Whether goodbye is to be said, or has been. */
  public boolean saysGoodbye() {
    return goodbye;
  }

  /**
   * Whether something is to be sent.
   *
   * @param position up to which messages have been sent
   */
  public boolean areDue(long position) {
    return credit.get() > creditSent
        || sign
        || renewals.get() != 0
        || granted.get() != 0
        || givenBack.get() != 0
        || notice.get() != null
        || goodbyeIsDue(position);
  }

  private boolean goodbyeIsDue(long position) {
    return goodbye && !goodbyeSent && position >= goodbyeFrom;
  }

  /**
   * Takes what is due, to be sent at once; {@link #bytes} has it.
   *
   * @param position as for {@link #areDue}
   * @return how many bytes; 0 if there is nothing
   */
  public int take(long position) {
    int length = 0;
    long processed = credit.get();
    if (processed > creditSent || sign) {
      sign = false;
      creditSent = processed;
      length += putNumber(length, MessageFrame.CREDIT, processed);
    }
    length += putWindow(length, granted.getAndSet(0));
    length += putWindow(length, -givenBack.getAndSet(0));
    int lanes = renewals.getAndSet(0);
    for (int lane = 0; lanes != 0; lane++, lanes >>>= 1) {
      if ((lanes & 1) != 0) {
        length += putEmpty(length, lane, MessageFrame.RENEW);
      }
    }
    byte[] frame = notice.getAndSet(null);
    if (frame != null) {
      makeRoom(length + frame.length);
      System.arraycopy(frame, 0, frames, length, frame.length);
      length += frame.length;
    }
    if (goodbyeIsDue(position)) {
      goodbyeSent = true;
      length += putEmpty(length, 0, MessageFrame.GOODBYE);
    }
    return length;
  }

  /** What was {@linkplain #take taken}, from the begin on. */
  public byte[] bytes() {
    return frames;
  }

  private void makeRoom(int lengthBytes) {
    if (frames.length < lengthBytes) {
      frames = Arrays.copyOf(frames, lengthBytes);
    }
  }

  private int putWindow(int at, long bytes) {
    return bytes == 0 ? 0 : putNumber(at, MessageFrame.WINDOW, bytes);
  }

  private int putNumber(int at, int kind, long number) {
    makeRoom(at + NUMBER_FRAME_BYTES);
    MessageFrame.putHeader(frames, at, Long.BYTES, 0, kind);
    MessageFrame.putLong(frames, at + MessageFrame.HEADER_BYTES, number);
    return NUMBER_FRAME_BYTES;
  }

  private int putEmpty(int at, int lane, int kind) {
    makeRoom(at + MessageFrame.HEADER_BYTES);
    MessageFrame.putHeader(frames, at, 0, lane, kind);
    return MessageFrame.HEADER_BYTES;
  }
}
