package io.karmi.hostile;

import io.karmi.contract.hostile.Attack;
import io.karmi.contract.hostile.Attacks;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.SiegeContract;
import io.karmi.contract.hostile.SocketDoor;
import io.karmi.contract.hostile.TlsAttacks;
import io.karmi.contract.hostile.TlsDoor;
import io.karmi.kit.Certificates;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.rules.TemporaryFolder;

/**
 * Every attack of the kit on a node with TLS, by a peer that it trusts, and below TLS by others.
 */
public class TlsSiegeTest extends SiegeContract {
  @ClassRule public static final TemporaryFolder FOLDER = new TemporaryFolder();

  private static String tls;
  private static SSLContext attacker;

  @BeforeClass
  public static void makeCertificates() throws Exception {
    Certificates certificates = new Certificates(FOLDER.getRoot().toPath());
    certificates.make("node");
    certificates.make("attacker");
    tls = certificates.node("node", "node", "attacker"); // itself, for its connector server
    certificates.trust("attacker", "node");
    attacker = certificates.context("attacker");
  }

  @Override
  protected long usualMillis() {
    return 15_000;
  }

  @Override
  protected List<String> options() {
    return List.of("-Dkarmi.tls=" + tls);
  }

  @Override
  protected String technology() {
    return "tcp";
  }

  @Override
  protected Door door(int port, String way) {
    return new TlsDoor(port, attacker);
  }

  @Override
  protected Door attackersDoor(int port, String way) throws IOException {
    return new TlsDoor(port, attacker, SocketDoor.ofOtherHost(port));
  }

  @Override
  protected List<Attack> attacks(Door door) {
    List<Attack> all = new ArrayList<>(Attacks.all());
    all.addAll(TlsAttacks.at((TlsDoor) door));
    return all;
  }
}
