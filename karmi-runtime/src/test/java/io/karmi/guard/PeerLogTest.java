package io.karmi.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ResourceBundle;
import org.junit.Test;

/** Warnings about what peers have caused. */
public class PeerLogTest {
  private static final int MANY = 100;

  /** Keeps what is logged as warnings. */
  private static final class Kept implements System.Logger {
    private final List<String> warnings = new ArrayList<>();

    @Override
    public String getName() {
      return "kept";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level == Level.WARNING;
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String text, Throwable thrown) {
      StringWriter lines = new StringWriter();
      thrown.printStackTrace(new PrintWriter(lines));
      warnings.add(text + "; " + lines);
    }

    @Override
    public void log(Level level, ResourceBundle bundle, String format, Object... values) {
      throw new AssertionError(format);
    }
  }

  @Test
  public void aPeerAddsNoLineToALog() {
    Kept log = new Kept();
    Exception problem =
        new IllegalStateException(
            "outer", new ClassNotFoundException("a.B\nWARNING: forged\u001b[2J\u2028x"));
    PeerLog.warn(log, "the host of aPeerAddsNoLineToALog", "a message of\r\nx", problem);
    assertThat(log.warnings).hasSize(1);
    assertThat(log.warnings.get(0))
        .startsWith("a message of\\u000d\\u000ax; java.lang.IllegalStateException: outer")
        .contains("ClassNotFoundException: a.B\\u000aWARNING: forged\\u001b[2J\\u2028x")
        .contains("at io.karmi.guard.PeerLogTest.aPeerAddsNoLineToALog");
  }

  @Test
  public void aPeerMakesNoLogLong() {
    Kept log = new Kept();
    String text = "\u0001".repeat(1 << 20);
    Exception sent = new ClassNotFoundException(text);
    StackTraceElement[] places = new StackTraceElement[MANY * MANY];
    Arrays.fill(places, new StackTraceElement("a\nWARNING: forged", text, text, 1));
    sent.setStackTrace(places);
    PeerLog.warn(
        log, "the host of aPeerMakesNoLogLong", text, new IllegalStateException(text, sent));
    assertThat(log.warnings).hasSize(1);
    assertThat(log.warnings.get(0).length()).as("characters").isLessThan(1 << 20);
    assertThat(log.warnings.get(0))
        .contains("... (" + (1 << 20) + " characters)")
        .doesNotContain("\nWARNING", "\u0001");
  }

  @Test
  public void ofManyWarningsAHostCausesAFew() {
    Kept log = new Kept();
    for (int i = 0; i < MANY; i++) {
      PeerLog.warn(log, "the host of ofManyWarnings", "again", new IllegalStateException());
    }
    assertThat(log.warnings.size()).isBetween(1, MANY / 2);
  }
}
