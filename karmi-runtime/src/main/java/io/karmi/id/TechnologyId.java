package io.karmi.id;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Address of a node in one technology: the paper's UTID (4.3).
 *
 * <p>The address is readable text that only its technology understands. All others can keep, print
 * and forward it.
 *
 * <p>Immutable but for the attachment: the local technology keeps there what it has resolved the
 * address to, so that a call looks nothing up in a table.
 */
public final class TechnologyId {
  /**
   * An attachment by which calls may go over connections that the other end has opened: to the node
   * that has sent the reference, which need not be the one at the address.
   */
  public interface CallsBack {}

  /** An attachment that may lead to where the address does. */
  public interface Resolved {
    /** True if an address that nothing is attached to is resolved to this. */
    boolean isMeantBy(String address);
  }

  private static final int MAXIMUM_TEXT = 4096;

  private final String technology;
  private final String address;

  /** Belongs to the local technology of that name; not part of the value, and not sent. */
  private volatile @Nullable Object attachment;

  /**
   * Makes the UTID of an address.
   *
   * @param technology name of the technology, such as {@code tcp}
   * @param address what the technology needs to reach the node; at most 4096 bytes in modified
   *     UTF-8
   */
  public TechnologyId(String technology, String address) {
    this.technology = Objects.requireNonNull(technology).intern();
    this.address = Objects.requireNonNull(address);
  }

  /** Reads what {@link #write} wrote. */
  public static TechnologyId read(DataInput in) throws IOException {
    String technology = in.readUTF();
    String address = in.readUTF();
    if (technology.length() > MAXIMUM_TEXT || address.length() > MAXIMUM_TEXT) {
      throw new IOException(
          "technology id of " + (technology.length() + address.length()) + " characters");
    }
    return new TechnologyId(technology, address);
  }

  /** Writes two strings in modified UTF-8. */
  public void write(DataOutput out) throws IOException {
    out.writeUTF(technology);
    out.writeUTF(address);
  }

  /** Name of the technology; interned, so that it may be compared with {@code ==}. */
  public String technology() {
    return technology;
  }

  /** The address in the technology's own notation. */
  public String address() {
    return address;
  }

  /** The object to which the local technology of that name has resolved this address, or null. */
  public @Nullable Object attachment() {
    return attachment;
  }

  /** Keeps what the address was resolved to; only the technology of that name does this. */
  public void attach(Object resolved) {
    attachment = resolved;
  }

  /**
   * What has been found at the address because a reference has come from there; null if calls go
   * where the address leads.
   */
  public @Nullable Object found() {
    Object known = attachment;
    return known instanceof Resolved && ((Resolved) known).isMeantBy(address) ? null : known;
  }

  /** The same way for calls that do not go back: this, unless the attachment is for those. */
  public TechnologyId dialled() {
    return attachment instanceof CallsBack ? new TechnologyId(technology, address) : this;
  }

  @Override
  public boolean equals(Object other) {
    return other == this
        || other instanceof TechnologyId
            && ((TechnologyId) other).technology.equals(technology)
            && ((TechnologyId) other).address.equals(address);
  }

  @Override
  public int hashCode() {
    return 31 * technology.hashCode() + address.hashCode();
  }

  /** Such as {@code tcp 10.0.0.7:4711}. */
  @Override
  public String toString() {
    return technology + " " + address;
  }
}
