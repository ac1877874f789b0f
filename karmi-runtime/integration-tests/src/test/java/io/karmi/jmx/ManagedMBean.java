package io.karmi.jmx;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** What a console sees of {@link Managed}. */
public interface ManagedMBean {
  /** A number that can be changed. */
  int getLevel();

  /** Changes it. */
  void setLevel(int level);

  /** Something made of collections. */
  Map<String, List<Integer>> getTable();

  /** What cannot be sent. */
  Object getUnsendable();

  /** A getter that throws. */
  String getBroken() throws IOException;

  /** Gives back what it gets. */
  Object echo(Object value);

  /** Throws an exception without declaring it. */
  void fail(String message);

  /** Sends notifications. */
  void announce(String type, int count);

  /** Sends a notification that cannot be sent. */
  void announceUnsendable();
}
