plugins {
  id("com.android.application")
  id("org.jetbrains.kotlin.android")
  id("org.jetbrains.kotlin.plugin.compose")
}

android {
  namespace = "lens"
  compileSdk = 35
  defaultConfig {
    applicationId = "org.example.campuslens"
    minSdk = 30
    targetSdk = 35
    versionCode = 1
    versionName = "1.0"
  }
  buildFeatures { compose = true }
  // The model is mapped into memory, so it must not be compressed.
  androidResources { noCompress += "tflite" }
}

kotlin { jvmToolchain(17) }

dependencies {
  implementation(project(":campus"))
  implementation(platform("androidx.compose:compose-bom:2024.12.01"))
  implementation("androidx.compose.material3:material3")
  implementation("androidx.activity:activity-compose:1.9.3")
  implementation("androidx.lifecycle:lifecycle-runtime-compose:2.8.7")
  implementation("androidx.camera:camera-camera2:1.4.1")
  implementation("androidx.camera:camera-view:1.4.1")
}
