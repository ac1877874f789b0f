package io.karmi.uka.records;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.ObjectStreamClass;

/** Embedded stream of records; it knows whether one has described a class. */
public final class DescribedInput extends LoaderInput {
  private boolean described;

  public DescribedInput(InputBuffer buffer, ClassLoader loader) throws IOException {
    super(buffer, loader);
  }

  /** Before a record. */
  public void beginRecord() {
    described = false;
  }

  /** Whether the record has described a class. */
  public boolean hasDescribed() {
    return described;
  }

  @Override
  protected Class<?> resolveClass(ObjectStreamClass description)
      throws IOException, ClassNotFoundException {
    described = true;
    return super.resolveClass(description);
  }

  @Override
  protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
    described = true;
    return super.resolveProxyClass(names);
  }
}
