package io.karmi.tcp;

import io.karmi.settings.Settings;
import io.karmi.technology.ConnectionSettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of connections, and one of TCP's own:
 *
 * <ul>
 *   <li>{@code karmi.tls}: all connections use TLS, with certificates on both ends; see {@link Tls}
 * </ul>
 *
 * <p>Immutable.
 */
final class TcpSettings extends ConnectionSettings {
  /** Null for connections without TLS. */
  final @Nullable Tls tls;

  private TcpSettings(UnaryOperator<String> properties) {
    super(properties);
    tls = Tls.of(Settings.TLS.get(properties));
  }

  static TcpSettings fromProperties() {
    return new TcpSettings(Settings.SYSTEM);
  }

  /** Settings from properties that are not the system's. */
  static TcpSettings from(UnaryOperator<String> properties) {
    return new TcpSettings(properties);
  }
}
