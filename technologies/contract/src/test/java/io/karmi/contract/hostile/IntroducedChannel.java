package io.karmi.contract.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A channel whose bytes go by a socket until the node has introduced itself, and by the network's
 * own way from then on.
 */
public abstract class IntroducedChannel implements Channel {
  /** In an introduction: four bytes of magic, the layout, and two bytes of length. */
  private static final int LENGTH_AT = 5;

  private static final int BEGIN_BYTES = 7;

  /** Offset of the number of formats in an introduction; without formats it is a refusal. */
  private static final int FORMATS_AT = BEGIN_BYTES + 30;

  private final byte[] hello = new byte[1 << 16];
  private int read;
  private boolean met;

  /** What the node sends by the socket. */
  protected abstract InputStream socketIn() throws IOException;

  /** What the node gets by the socket. */
  protected abstract OutputStream socketOut() throws IOException;

  /** Opens the network's own way, now that the node has introduced itself. */
  protected abstract void meet() throws IOException;

  /** Reads by the network's own way; negative at the end. */
  protected abstract int readOn(byte[] to, int offset, int length) throws IOException;

  /** Writes by the network's own way. */
  protected abstract void writeOn(byte[] from, int offset, int length) throws IOException;

  /** Whether bytes go by the network's own way. */
  protected final boolean hasMet() {
    return met;
  }

  @Override
  public final InputStream in() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        if (length == 0) {
          return 0;
        }
        return met ? readOn(to, offset, length) : readHello(to, offset);
      }
    };
  }

  /** One byte at a time: what follows the introduction comes by another way. */
  private int readHello(byte[] to, int offset) throws IOException {
    int value = socketIn().read();
    if (value < 0) {
      return value;
    }
    hello[read++] = (byte) value;
    to[offset] = (byte) value;
    if (read >= BEGIN_BYTES
        && read == BEGIN_BYTES + lengthOfRest()
        && read > FORMATS_AT
        && hello[FORMATS_AT] > 0) {
      meet();
      met = true;
    }
    return 1;
  }

  private int lengthOfRest() {
    return hello[LENGTH_AT] & 0xFF | (hello[LENGTH_AT + 1] & 0xFF) << Byte.SIZE;
  }

  @Override
  public final OutputStream out() {
    return new OutputStream() {
      @Override
      public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
      }

      @Override
      public void write(byte[] from, int offset, int length) throws IOException {
        if (met) {
          writeOn(from, offset, length);
        } else {
          socketOut().write(from, offset, length);
        }
      }
    };
  }
}
