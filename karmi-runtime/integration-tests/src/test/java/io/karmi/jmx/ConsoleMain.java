package io.karmi.jmx;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.LocateRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeValueExp;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServerConnection;
import javax.management.MBeanServerDelegate;
import javax.management.MBeanServerNotification;
import javax.management.Notification;
import javax.management.NotificationFilter;
import javax.management.NotificationFilterSupport;
import javax.management.NotificationListener;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.ValueExp;
import javax.management.relation.MBeanServerNotificationFilter;
import javax.management.remote.JMXConnectionNotification;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIServer;

/**
 * A console: attaches to a URL, does what consoles do, and prints what it sees. Arguments: the URL,
 * what to do, and the credentials.
 */
public final class ConsoleMain {
  /** Begins the answer to a line of input: one line, in which others stand for ends of lines. */
  static final String ANSWER = "answer ";

  /** Stands for the end of a line in an answer. */
  static final String END_OF_LINE = "\u000B";

  private static final int DEADLINE_SECONDS = 60;

  private final MBeanServerConnection beans;
  private final ObjectName bean = new ObjectName("test:type=Managed");

  private ConsoleMain(MBeanServerConnection beans) throws Exception {
    this.beans = beans;
  }

  /** Runs to its end; without arguments, does what each line of its input says. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      run(args);
      System.exit(0);
    }
    PrintStream answers = System.out;
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      ByteArrayOutputStream printed = new ByteArrayOutputStream();
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      try {
        run(line.split(" "));
      } catch (Exception e) {
        e.printStackTrace(System.out);
      }
      String text = printed.toString(StandardCharsets.UTF_8).stripTrailing();
      answers.println(ANSWER + text.replace("\n", END_OF_LINE));
    }
    System.exit(0);
  }

  private static void run(String... args) throws Exception {
    Map<String, Object> environment = new HashMap<>();
    if (args.length > 2) {
      String[] credentials = Arrays.copyOfRange(args, 2, args.length);
      environment.put(JMXConnector.CREDENTIALS, credentials);
    }
    if (args[1].equals("otherCredentials")) {
      environment.put(JMXConnector.CREDENTIALS, new ArrayList<>(List.of("user", "secret")));
    }
    if (args[1].equals("guess")) {
      guess(new JMXServiceURL(args[0]));
      return;
    }
    if (args[1].equals("crowd")) {
      crowd(new JMXServiceURL(args[0]), environment);
      return;
    }
    JMXConnector connector;
    try {
      connector = JMXConnectorFactory.connect(new JMXServiceURL(args[0]), environment);
    } catch (IOException | SecurityException e) {
      System.out.println("refused " + e);
      return;
    }
    try (connector) {
      System.out.println("attached " + (connector.getConnectionId() != null));
      ConsoleMain console = new ConsoleMain(connector.getMBeanServerConnection());
      switch (args[1]) {
        case "all" -> console.all();
        case "write" -> console.write();
        case "reads" -> console.reads();
        case "lost" -> console.lost(connector);
        case "hashes" -> console.hashes();
        case "listeners" -> console.listeners();
        case "queriesThatTakeYears" -> {
          Thread deep = new Thread(null, console::queriesThatTakeYears, "deep", 1 << 29);
          deep.start();
          deep.join();
        }
        case "waits" -> waits(new JMXServiceURL(args[0]));
        default -> console.say("level", () -> console.beans.getAttribute(console.bean, "Level"));
      }
    }
  }

  /** Tries fifty passwords. */
  private static void guess(JMXServiceURL url) {
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
  private static void crowd(JMXServiceURL url, Map<String, Object> environment) {
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
      setLevel(setOfLists(levels));
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
    say("few parts in parts", () -> beans.queryNames(bean, queryOfQueries(5)));
    String asterisks = "*?".repeat(20) + "*\uffff";
    ObjectName runtime = ManagementFactory.getRuntimeMXBean().getObjectName();
    say("asterisks", () -> beans.queryNames(runtime, match("ClassPath", asterisks)));
    say("no asterisk", () -> beans.queryNames(runtime, match("Name", "[0-9]?*")));
    NotificationFilterSupport filter = new NotificationFilterSupport();
    for (String each : Collections.nCopies(100, "type")) {
      filter.enableType(each);
    }
    say("types", () -> listen(filter));
    sayCause("copies of a type", () -> listen(new Copies()));
  }

  private void sayCause(String what, Callable<Object> action) {
    say(
        what,
        () -> {
          try {
            return action.call();
          } catch (IOException e) {
            return e.toString();
          }
        });
  }

  private static QueryExp match(String attribute, String pattern) {
    return Query.match(Query.attr(attribute), Query.value(pattern));
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
  private static void waits(JMXServiceURL url) throws Exception {
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
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
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

  private void say(String what, Callable<Object> action) {
    String seen;
    try {
      seen = String.valueOf(action.call());
    } catch (Exception e) {
      StringBuilder causes = new StringBuilder(e.getClass().getName());
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        causes.append(" < ").append(cause.getClass().getName());
        causes.append(": ").append(cause.getMessage());
      }
      seen = "threw " + causes;
    }
    System.out.println(what + " " + seen);
  }

  private void all() throws Exception {
    attributes();
    operations();
    lifeOfABean();
    queries();
    notifications();
  }

  private void write() {
    say("set", () -> setLevel(3));
    say("level", () -> beans.getAttribute(bean, "Level"));
    say("list", () -> invoke("echo", new ArrayList<>(List.of("text"))));
    say(
        "like",
        () ->
            beans.queryNames(
                ManagementFactory.getRuntimeMXBean().getObjectName(), match("Name", "[0-9]?*@*")));
    say("date", () -> invoke("echo", java.time.LocalDate.of(2001, 2, 3)));
  }

  private Object setLevel(Object level) throws Exception {
    beans.setAttribute(bean, new Attribute("Level", level));
    return "done";
  }

  private Object invoke(String operation, Object argument) throws Exception {
    return beans.invoke(
        bean, operation, new Object[] {argument}, new String[] {Object.class.getName()});
  }

  private void attributes() {
    say("set", () -> setLevel(7));
    say("level", () -> beans.getAttribute(bean, "Level"));
    say("set wrong value", () -> setLevel(-1));
    say("set wrong type", () -> setLevel("text"));
    say("table", () -> beans.getAttribute(bean, "Table"));
    say("several", () -> beans.getAttributes(bean, new String[] {"Level", "None", "Table"}));
    say(
        "set several",
        () ->
            beans.setAttributes(
                bean,
                new AttributeList(
                    List.of(new Attribute("Level", 8), new Attribute("None", "text")))));
    say("missing", () -> beans.getAttribute(bean, "None"));
    say("broken", () -> beans.getAttribute(bean, "Broken"));
    say("no bean", () -> beans.getAttribute(new ObjectName("test:type=None"), "Level"));
    say("null name", () -> beans.getAttribute(null, "Level"));
    say(
        "memory",
        () ->
            beans
                .getAttribute(new ObjectName("java.lang:type=Memory"), "HeapMemoryUsage")
                .getClass());
    say("unsendable", () -> beans.getAttribute(bean, "Unsendable"));
    say("still there", () -> beans.getAttribute(bean, "Level"));
  }

  private void operations() {
    say("echo", () -> invoke("echo", new ArrayList<>(List.of(1, 2L, "three"))));
    say("echo null", () -> invoke("echo", null));
    say("echo array", () -> Arrays.toString((int[]) invoke("echo", new int[] {1, 2})));
    say(
        "fail",
        () ->
            beans.invoke(
                bean, "fail", new Object[] {"why"}, new String[] {String.class.getName()}));
    say("no operation", () -> beans.invoke(bean, "none", null, null));
    say("info", this::info);
    say("instance of", () -> beans.isInstanceOf(bean, Managed.class.getName()));
    say("domain", beans::getDefaultDomain);
    say("domains", () -> List.of(beans.getDomains()).containsAll(List.of("test", "java.lang")));
    say("count", () -> beans.getMBeanCount() > 10);
  }

  private Object info() throws Exception {
    MBeanInfo info = beans.getMBeanInfo(bean);
    return info.getClassName()
        + Arrays.stream(info.getAttributes())
            .map(MBeanAttributeInfo::getName)
            .sorted()
            .collect(Collectors.toList());
  }

  private void lifeOfABean() throws Exception {
    ObjectName made = new ObjectName("test:type=Made");
    say("create", () -> beans.createMBean(Managed.class.getName(), made));
    say("create again", () -> beans.createMBean(Managed.class.getName(), made));
    say("registered", () -> beans.isRegistered(made));
    say("instance", () -> beans.getObjectInstance(made));
    say(
        "unregister",
        () -> {
          beans.unregisterMBean(made);
          return beans.isRegistered(made);
        });
    say("create of no class", () -> beans.createMBean("app.None", made));
    say(
        "create with parameters",
        () ->
            beans.createMBean(
                "javax.management.loading.MLet",
                made,
                new Object[] {new java.net.URL[0]},
                new String[] {"[Ljava.net.URL;"}));
    say(
        "unregister",
        () -> {
          beans.unregisterMBean(made);
          return "done";
        });
  }

  private void queries() {
    say("names", () -> sorted(new ArrayList<>(beans.queryNames(new ObjectName("test:*"), null))));
    QueryExp query = Query.gt(Query.attr("Level"), Query.value(5));
    say("query", () -> beans.queryNames(null, query));
    QueryExp none = Query.eq(new AttributeValueExp("Level"), Query.value(99));
    say("query of none", () -> beans.queryNames(null, none));
    say(
        "beans",
        () ->
            beans.queryMBeans(new ObjectName("test:*"), null).stream()
                .map(ObjectInstance::getClassName)
                .sorted()
                .collect(Collectors.toList()));
  }

  private static Object sorted(List<ObjectName> names) {
    names.sort(Comparator.naturalOrder());
    return names;
  }

  private void notifications() throws Exception {
    BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    NotificationListener listener =
        (notification, handback) -> seen.add(describe(notification) + " " + handback);
    NotificationFilterSupport filter = new NotificationFilterSupport();
    filter.enableType("wanted");
    filter.enableType("unsendable");
    beans.addNotificationListener(bean, listener, filter, "handback");
    announce("unwanted", 3);
    announce("wanted", 3);
    for (int i = 0; i < 3; i++) {
      System.out.println("notified " + seen.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    }
    beans.invoke(bean, "announceUnsendable", null, null);
    announce("wanted", 1);
    System.out.println("after one that was lost " + seen.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    BlockingQueue<String> registrations = new LinkedBlockingQueue<>();
    NotificationListener ofDelegate =
        (notification, handback) ->
            registrations.add(
                notification.getType()
                    + " "
                    + ((MBeanServerNotification) notification).getMBeanName());
    ObjectName other = new ObjectName("test:type=Other");
    /* Beans of the host's own may come at any moment. */
    MBeanServerNotificationFilter ofOther = new MBeanServerNotificationFilter();
    ofOther.enableObjectName(other);
    beans.addNotificationListener(MBeanServerDelegate.DELEGATE_NAME, ofDelegate, ofOther, null);
    beans.createMBean(Managed.class.getName(), other);
    beans.unregisterMBean(other);
    System.out.println("delegate " + registrations.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    System.out.println("delegate " + registrations.poll(DEADLINE_SECONDS, TimeUnit.SECONDS));
    say(
        "remove",
        () -> {
          beans.removeNotificationListener(bean, listener, filter, "handback");
          return "done";
        });
    say(
        "remove again",
        () -> {
          beans.removeNotificationListener(bean, listener);
          return "done";
        });
  }

  private static String describe(Notification notification) {
    return notification.getType()
        + " "
        + notification.getSource()
        + " "
        + notification.getMessage();
  }

  private void announce(String type, int count) throws Exception {
    beans.invoke(
        bean, "announce", new Object[] {type, count}, new String[] {String.class.getName(), "int"});
  }

  /** Times 10,000 reads of an attribute, after as many to warm up. */
  private void reads() throws Exception {
    for (int round = 0; round < 5; round++) {
      long begin = System.nanoTime();
      Duration beginOfWork = ProcessHandle.current().info().totalCpuDuration().orElseThrow();
      for (int i = 0; i < 10_000; i++) {
        beans.getAttribute(bean, "Level");
      }
      Duration work =
          ProcessHandle.current().info().totalCpuDuration().orElseThrow().minus(beginOfWork);
      System.out.println(
          "reads "
              + (System.nanoTime() - begin) / 1_000_000
              + " ms, console's processor time "
              + work.toMillis()
              + " ms");
    }
  }

  /** Says when it learns that its server is gone. */
  private void lost(JMXConnector connector) throws Exception {
    BlockingQueue<String> states = new LinkedBlockingQueue<>();
    connector.addConnectionNotificationListener(
        (notification, handback) -> states.add(notification.getType()), null, null);
    beans.addNotificationListener(bean, (notification, handback) -> {}, null, null);
    System.out.println("waiting");
    String state = states.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
    System.out.println(
        "state "
            + (JMXConnectionNotification.FAILED.equals(state)
                || JMXConnectionNotification.CLOSED.equals(state)));
    say("after", () -> beans.getAttribute(bean, "Level"));
  }
}
