package io.karmi.exchange;

import io.karmi.settings.Settings;
import java.io.Serializable;

/**
 * Request for a piece of a group. The answer is a byte array: the length of the whole record in 8
 * bytes, little-endian, and then the piece.
 *
 * @param secret that members of the space know
 * @param from where the piece begins in the record
 */
record FetchGroup(long space, long secret, GroupAddress group, long from) implements Serializable {
  /** Most bytes of a piece; the same in all members of a space. */
  static final int PIECE_BYTES = (int) Settings.EXCHANGE_PIECE.get();
}
