package io.karmi.exchange;

import java.io.IOException;

/** A key is bound to another group; {@link ExchangeSpace#replace} binds it all the same. */
public class KeyTakenException extends IOException {
  private static final long serialVersionUID = 1;

  private final GroupAddress holder;

  /** For the exchange space. */
  public KeyTakenException(String key, GroupAddress holder) {
    super(
        "the key '" + key + "' is bound to group " + holder + "; replace() binds it all the same");
    this.holder = holder;
  }

  /** The group that the key is bound to. */
  public GroupAddress holder() {
    return holder;
  }
}
