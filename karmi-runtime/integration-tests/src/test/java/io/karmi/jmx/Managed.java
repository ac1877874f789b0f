package io.karmi.jmx;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;

/** A bean with attributes, operations and notifications. */
public class Managed extends NotificationBroadcasterSupport implements ManagedMBean {
  private int level = 1;
  private long sequence;

  @Override
  public int getLevel() {
    return level;
  }

  @Override
  public void setLevel(int level) {
    if (level < 0) {
      throw new IllegalArgumentException("level " + level);
    }
    this.level = level;
  }

  @Override
  public Map<String, List<Integer>> getTable() {
    return new TreeMap<>(Map.of("one", List.of(1), "two", List.of(1, 2)));
  }

  @Override
  public Object getUnsendable() {
    return new Object();
  }

  @Override
  public String getBroken() throws IOException {
    throw new IOException("disk");
  }

  @Override
  public Object echo(Object value) {
    return value;
  }

  @Override
  public void fail(String message) {
    throw new IllegalStateException(message);
  }

  @Override
  public void announce(String type, int count) {
    for (int i = 0; i < count; i++) {
      sendNotification(new Notification(type, "managed", ++sequence, 0, "number " + i));
    }
  }

  @Override
  public void announceUnsendable() {
    Notification notification = new Notification("unsendable", "managed", ++sequence, 0);
    notification.setUserData(new Object());
    sendNotification(notification);
  }
}
