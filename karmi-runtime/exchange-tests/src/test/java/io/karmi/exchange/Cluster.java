package io.karmi.exchange;

import io.karmi.exchange.server.FirstServer;
import io.karmi.kit.Cable;
import io.karmi.kit.Jvm;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server and members in JVMs of their own, all killed when it is closed. */
final class Cluster implements AutoCloseable {
  /** A JVM takes some seconds to start on a machine that does much else. */
  static final String TIMEOUT = "-Dkarmi.internal.exchangeTimeout=" + MemberMain.LIMIT_MILLIS;

  static final List<String> FILTERED = List.of("-Dkarmi.serialFilter=interface");

  private final List<Jvm> jvms = new ArrayList<>();
  private final Path folder;
  private final @Nullable String url;

  /** The port of the server, which keeps it when it is started again; 0 before. */
  private int port;

  /** Null where hosts are directories alone. */
  private final Cable cable;

  Jvm server;

  Cluster(Path folder) throws Exception {
    this(folder, (Cable) null);
  }

  /** The server is on the first host of a cable, as members of the host {@code a} are. */
  Cluster(Path folder, Cable cable) throws Exception {
    this.folder = folder;
    this.cable = cable;
    url = null;
    server = startServer(FirstServer.class.getName());
  }

  /** Members of a directory that runs elsewhere. */
  Cluster(Path folder, String url) {
    this.folder = folder;
    this.cable = null;
    this.url = url;
  }

  private String end(String host) {
    return cable.hosts().get(host.equals("a") ? 0 : 1);
  }

  private String address(String host) {
    return cable == null ? "127.0.0.1" : cable.address(end(host));
  }

  /** Starts the server that users start, where there was one before. */
  Jvm startServer() throws Exception {
    return startServer("io.karmi.exchange.server.KarmiExchange");
  }

  /** Starts a server by a program that takes the port and more words. */
  Jvm startServer(String main, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of(main, Integer.toString(port)));
    words.addAll(Arrays.asList(more));
    Jvm started = add(start("a", FILTERED, words.toArray(new String[0])));
    port = Integer.parseInt(started.awaitLine("karmi-exchange listens on port "));
    server = started;
    return started;
  }

  String url() {
    return url == null ? "//" + address("a") + ":" + port + "/exchange" : url;
  }

  /** A member whose files are in a directory that stands for a host. */
  Jvm member(String host, String... more) throws Exception {
    return member(List.of(), host, more);
  }

  Jvm member(List<String> options, String host, String... more) throws Exception {
    List<String> all = new ArrayList<>(options);
    all.add("-Dkarmi.exchange.dir=" + Files.createDirectories(folder.resolve(host)));
    all.add("-Dkarmi.exchange.store=" + folder.resolve("store-" + host));
    List<String> words = new ArrayList<>(List.of(MemberMain.class.getName(), url()));
    words.addAll(Arrays.asList(more));
    Jvm started = add(start(host, all, words.toArray(new String[0])));
    started.awaitLine("joined");
    return started;
  }

  private Jvm start(String host, List<String> options, String... words) throws IOException {
    List<String> all = new ArrayList<>();
    if (cable != null) {
      all.add("-Djava.rmi.server.hostname=" + address(host));
      all.add("-Dkarmi.technologies=tcp"); // both hosts have the same file system
    }
    all.add("-Xmx256m");
    all.add("-XX:TieredStopAtLevel=1");
    all.add("-XX:+UseSerialGC");
    all.add("-Dkarmi.dgc=counting"); // the end of a process is seen at once
    all.add(TIMEOUT);
    all.addAll(options);
    all.addAll(Arrays.asList(words));
    String[] arguments = all.toArray(new String[0]);
    return cable == null
        ? Jvm.start(arguments)
        : Jvm.startBy(List.of("ip", "netns", "exec", end(host)), arguments);
  }

  private Jvm add(Jvm started) {
    jvms.add(started);
    return started;
  }

  /**
   * Files of groups and packs of a host, with those that are unfinished; members may remove some
   * meanwhile.
   */
  List<String> files(String host) {
    List<String> names = new ArrayList<>();
    add(folder.resolve(host).toFile(), names);
    return names;
  }

  private static void add(File from, List<String> names) {
    File[] all = from.listFiles();
    for (File each : all == null ? new File[0] : all) {
      if (each.isDirectory()) {
        add(each, names);
      } else if (!each.getName().equals("lock")) {
        names.add(each.getName());
      }
    }
  }

  @Override
  public void close() {
    jvms.forEach(Jvm::close);
  }
}
