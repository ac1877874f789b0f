package io.karmi.marshal;

import java.io.IOException;
import java.util.Map;

/** The arguments of a call with which something is sent along. */
public final class ArgumentsWithHeader extends Arguments {
  private final Arguments arguments;
  private final Map<String, String> header;

  /** The same arguments, with a header. */
  public ArgumentsWithHeader(Arguments arguments, Map<String, String> header) {
    this.arguments = arguments;
    this.header = header;
  }

  @Override
  public Map<String, String> header() {
    return header;
  }

  @Override
  public void marshal(CallOutput out) throws IOException {
    arguments.marshal(out);
  }
}
