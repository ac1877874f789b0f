package io.karmi.exchange.pull;

import io.karmi.exchange.GroupAddress;
import io.karmi.settings.Settings;
import java.io.Serializable;

/**
 * Request for a piece of a group. The answer is a byte array: the length of the whole record in 8
 * bytes, little-endian, and then the piece, of which there is nothing behind the record's end.
 *
 * @param secret that members of the space know
 * @param from where the piece begins in the record
 * @param most bytes that it has, unless the record ends before
 */
public record FetchGroup(long space, long secret, GroupAddress group, long from, int most)
    implements Serializable {
  /** Bytes before each piece: the length of the whole. */
  public static final int LENGTH_BYTES = Long.BYTES;

  /** Most bytes of a piece; the same in all members of a space. */
  public static final int PIECE_BYTES = (int) Settings.EXCHANGE_PIECE.get();
}
