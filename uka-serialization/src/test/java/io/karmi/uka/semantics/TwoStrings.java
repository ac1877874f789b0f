package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.see;

import org.junit.Test;

/** A small program by which the oracle is tested. */
public class TwoStrings {

  @Test
  public void stringsAreCopied() throws Exception {
    see("copy", Wire.copy("text"));
  }

  @Test
  public void stringsAreWritten() throws Exception {
    see("written", Wire.read(Wire.write("text", "other"), 2));
  }
}
