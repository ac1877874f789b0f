package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.Runs;
import java.io.IOException;
import java.io.StreamCorruptedException;

/** Reader of packed runs in the UKA format; see {@code docs/wire-format.md}. */
final class UkaRuns extends Runs {
  private static final int WIDEST = 16;
  private static final int NUMBER_BYTES = 10;

  private final InputBuffer in;
  private final FormatReader.Types types;
  private final OutputBuffer text = new OutputBuffer(0);
  private final int[] tokens = new int[2];
  private final int[] widths = new int[2];
  private int head;
  private final byte[] mask = new byte[MAXIMUM / Byte.SIZE];

  UkaRuns(InputBuffer in, FormatReader.Types types) {
    this.in = in;
    this.types = types;
  }

  /** Reads the head of a run. */
  void begin() throws IOException {
    in.readByte();
    head = in.readVarInt();
    if (length() == 0 || length() > MAXIMUM) {
      throw new StreamCorruptedException("a run of " + length() + " values");
    }
    readSlot(0);
    if (isOfPairs()) {
      readSlot(1);
    }
    if (isMasked()) {
      in.readBytes(mask, 0, (length() + Byte.SIZE - 1) / Byte.SIZE);
    }
  }

  @Override
  public int length() {
    return head >>> LENGTH_SHIFT;
  }

  @Override
  public boolean isOfPairs() {
    return (head & PAIRS) != 0;
  }

  @Override
  public int type(int slot) {
    return tokens[slot] + UkaTokens.OBJECTS_OF_TYPE;
  }

  @Override
  public int width(int slot) {
    return widths[slot];
  }

  @Override
  public boolean isMasked() {
    return (head & MASKED) != 0;
  }

  @Override
  public boolean hasToken(int index) {
    return isMasked() && (mask[index / Byte.SIZE] >> index % Byte.SIZE & 1) != 0;
  }

  @Override
  public void checkToken() throws IOException {
    in.require(1);
    int token = in.bytes[in.position];
    if (token != UkaTokens.NULL
        && token != UkaTokens.REFERENCE
        && token < UkaTokens.SMALL_REFERENCE) {
      throw new StreamCorruptedException("token " + token + " in a run");
    }
  }

  @Override
  public void expand(int from) throws IOException {
    text.position = 0;
    for (int i = from; i < length(); i++) {
      if (hasToken(i)) {
        copyToken();
      } else {
        copyValue(isOfPairs() ? i & 1 : 0);
      }
    }
    in.unread(text.bytes, text.position);
  }

  private void readSlot(int slot) throws IOException {
    tokens[slot] = in.readByte();
    widths[slot] = in.readByte();
    if (tokens[slot] >= 0 || widths[slot] < 0 || widths[slot] > WIDEST || !fits(slot)) {
      throw new StreamCorruptedException(
          "a run of " + tokens[slot] + ", each of " + widths[slot] + " bytes");
    }
  }

  /** Whether the width is not known to be another one. */
  private boolean fits(int slot) {
    int known = types.runWidth(type(slot));
    return known == FormatReader.Types.NOT_KNOWN || known == widths[slot];
  }

  /** Copies a value that has a token. */
  private void copyToken() throws IOException {
    checkToken();
    int token = in.readByte();
    text.writeByte(token);
    if (token == UkaTokens.REFERENCE) {
      copyNumber();
    }
  }

  private void copyValue(int slot) throws IOException {
    text.writeByte(tokens[slot]);
    int width = widths[slot];
    if (width == 0) {
      copyNumber();
      return;
    }
    in.require(width);
    text.writeBytes(in.bytes, in.position, width);
    in.position += width;
  }

  private void copyNumber() throws IOException {
    for (int i = 0; i < NUMBER_BYTES; i++) {
      byte next = in.readByte();
      text.writeByte(next);
      if (next >= 0) {
        return;
      }
    }
    throw new StreamCorruptedException("a number of more than " + NUMBER_BYTES + " bytes");
  }
}
