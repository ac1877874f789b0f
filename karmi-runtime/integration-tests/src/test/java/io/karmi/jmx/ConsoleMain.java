package io.karmi.jmx;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
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
import javax.management.NotificationFilterSupport;
import javax.management.NotificationListener;
import javax.management.ObjectInstance;
import javax.management.ObjectName;
import javax.management.Query;
import javax.management.QueryExp;
import javax.management.relation.MBeanServerNotificationFilter;
import javax.management.remote.JMXConnectionNotification;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A console: attaches to a URL, does what consoles do, and prints what it sees. Arguments: the URL,
 * what to do, and the credentials.
 */
public final class ConsoleMain {
  /** Begins the answer to a line of input: one line, in which others stand for ends of lines. */
  static final String ANSWER = "answer ";

  /** Stands for the end of a line in an answer. */
  static final String END_OF_LINE = "\u000B";

  static final int DEADLINE_SECONDS = 60;

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
      HostileConsole.guess(new JMXServiceURL(args[0]));
      return;
    }
    if (args[1].equals("crowd")) {
      HostileConsole.crowd(new JMXServiceURL(args[0]), environment);
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
        case "hashes", "listeners", "names", "queriesThatTakeYears" ->
            new HostileConsole(console, console.beans, console.bean).run(args[1]);
        case "waits" -> HostileConsole.waits(new JMXServiceURL(args[0]));
        default -> console.say("level", () -> console.beans.getAttribute(console.bean, "Level"));
      }
    }
  }

  static QueryExp match(String attribute, String pattern) {
    return Query.match(Query.attr(attribute), Query.value(pattern));
  }

  void say(String what, Callable<Object> action) {
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

  Object setLevel(Object level) throws Exception {
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
