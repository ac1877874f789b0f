package io.karmi.kit;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a logger and those below it log from a level on, until it is closed. Thread-safe. */
public final class KeptLog implements AutoCloseable {
  private final Collection<String> lines = new ConcurrentLinkedQueue<>();
  private final Logger logger;
  private final Level levelBefore;
  private final Handler handler = new Keeper();

  /** Begins to keep what a logger logs; one with a higher level is set to this one meanwhile. */
  public KeptLog(String name, Level least) {
    logger = Logger.getLogger(name);
    levelBefore = logger.getLevel();
    handler.setLevel(least);
    if (!logger.isLoggable(least)) {
      logger.setLevel(least);
    }
    logger.addHandler(handler);
  }

  /** The lines so far; with what was thrown behind a colon, where something was. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(levelBefore);
  }

  private final class Keeper extends Handler {
    @Override
    public void publish(LogRecord line) {
      if (isLoggable(line)) {
        Throwable thrown = line.getThrown();
        lines.add(thrown == null ? line.getMessage() : line.getMessage() + ": " + thrown);
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
