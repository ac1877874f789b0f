package io.karmi.exchange;

import java.io.IOException;
import java.util.List;

/** A group is with none of those who had it. */
public class GroupLostException extends IOException {
  private static final long serialVersionUID = 1;

  private final GroupAddress address;

  /**
   * For the exchange space.
   *
   * @param holders the last known ones, with what each has answered
   */
  public GroupLostException(GroupAddress address, List<String> holders) {
    super(
        "group "
            + address
            + " is lost: "
            + (holders.isEmpty()
                ? "no living member holds it"
                : "its last holders were " + String.join("; ", holders))
            + ". Put it again");
    this.address = address;
  }

  /** The group. */
  public GroupAddress address() {
    return address;
  }
}
