package io.karmi.benchmarks.serialization;

import java.io.ByteArrayOutputStream;

/** A byte array stream whose array can be looked at without a copy. */
final class ReusableOutput extends ByteArrayOutputStream {
  ReusableOutput() {
    super(1 << 18);
  }

  byte[] array() {
    return buf;
  }
}
